import { beforeAll, describe, expect, it } from "vitest";
import {
  type CreatedBusiness,
  type KeyKind,
  keyKinds,
  type Scope,
  scopes,
} from "../../shared/businesses/index.ts";
import { givenKey } from "../business/given.ts";
import { refusal } from "../link/given.ts";
import { call, givenBusiness } from "../support/world.ts";
import { withoutLimits } from "./open-shop.ts";
import { named, type Operation, operationsOfDocuments } from "./operations.ts";

const operations = await operationsOfDocuments();

let shop: CreatedBusiness;
let other: CreatedBusiness;
/** Secret keys with every scope but the one. */
const lacking = new Map<string, string>();
/** Keys of the business that say the mode which it is not in, by their kind. */
const ofOtherMode = new Map<KeyKind, string>();

beforeAll(async () => {
  shop = await givenBusiness();
  await withoutLimits(shop);
  for (const scope of new Set(operations.flatMap(scopesOf))) {
    const rest = scopes.filter((held) => held !== "*" && held !== scope);
    lacking.set(scope, await givenKey(shop, { scopes: rest }));
  }
  other = await givenBusiness();
  for (const kind of keyKinds)
    ofOtherMode.set(kind, await givenKey(shop, { kind, mode: "live", scopes: ["*"] }));
}, 60_000);

const ways = ({ security }: Operation) => security.map((way) => Object.keys(way));
/** Whether every way in needs the credential. */
const needs = (operation: Operation, credential: string) =>
  ways(operation).every((names) => names.includes(credential));
/** Whether there is a way in without any. */
const isOpen = (operation: Operation) =>
  operation.security.length === 0 || ways(operation).some((names) => names.length === 0);

/** The kind of key without which there is no way in. */
const keyKindOf = (operation: Operation): KeyKind | undefined =>
  keyKinds.find((kind) => needs(operation, `${kind}Key`) && !isOpen(operation));

/** A key where its kind stands. */
function keyHeader(kind: KeyKind, text: string): Record<string, string> {
  switch (kind) {
    case "publishable":
      return { "X-Public-Key": text };
    case "secret":
      return { "X-API-Key": text };
    case "deploy":
      return { Authorization: `Bearer ${text}` };
  }
}

function scopesOf({ security }: Operation): Scope[] {
  const named = new Set(security.flatMap(({ secretKey = [] }) => secretKey));
  return scopes.filter((scope) => named.has(scope));
}

function ask({ method, path, takesJson }: Operation, headers: Record<string, string>) {
  const place = path
    .replace("{business_id}", shop.business.id)
    .replaceAll(/\{\w+\}/g, shop.business.id);
  return call(method, place, {
    ...(takesJson && { body: {} }),
    headers,
  });
}

const unauthorized = { status: 401, body: refusal("UNAUTHORIZED") };

describe.each(named(operations.filter((operation) => !isOpen(operation))))("%s", (_, operation) => {
  it("takes no call without a credential, nor with a malformed one", async () => {
    expect(await ask(operation, {})).toMatchObject(unauthorized);
    for (const text of ["sk_test_", "nonsense", shop.keys.secret.slice(0, -1)]) {
      const headers = { "X-API-Key": text, Authorization: `Bearer ${text}` };
      expect(await ask(operation, headers), text).toMatchObject(unauthorized);
    }
  });

  it("takes no credential of the wrong kind", async () => {
    const { publishable, secret, deploy } = shop.keys;
    const wrong: Record<string, string>[] = [{ "X-Public-Key": secret }];
    if (!needs(operation, "deployKey")) wrong.push({ "X-API-Key": deploy });
    if (!needs(operation, "publishableKey")) wrong.push({ "X-Public-Key": publishable });
    if (!needs(operation, "secretKey")) wrong.push({ "X-API-Key": secret });
    for (const headers of wrong)
      expect(await ask(operation, headers), Object.keys(headers)[0]).toMatchObject(unauthorized);
  });
});

describe.each(named(operations.filter((operation) => scopesOf(operation).length > 0)))(
  "%s",
  (_, operation) => {
    it("takes no secret key without its scope", async () => {
      for (const scope of scopesOf(operation)) {
        const answer = await ask(operation, { "X-API-Key": lacking.get(scope) ?? "" });
        expect(answer).toMatchObject({ status: 403, body: refusal("FORBIDDEN") });
      }
    });
  },
);

describe.each(
  operations.flatMap((operation) => {
    const kind = keyKindOf(operation);
    return kind ? [[operation.id, operation, kind] as const] : [];
  }),
)("%s", (_, operation, kind) => {
  it("takes no key of another mode than its business's", async () => {
    const headers = keyHeader(kind, ofOtherMode.get(kind) ?? "");
    expect(await ask(operation, headers)).toMatchObject({
      status: 401,
      body: refusal("UNAUTHORIZED", {
        message: "A live key does not serve a test business.",
      }),
    });
  });

  it("is 403 for a business that its key does not serve", async () => {
    const headers = { ...keyHeader(kind, other.keys[kind]), "X-Business-Id": shop.business.id };
    expect(await ask(operation, headers)).toMatchObject({
      status: 403,
      body: refusal("FORBIDDEN", { message: "The key does not serve this business." }),
    });
  });
});

describe("a business's id that a key does not serve", () => {
  it.each([["another business's"], ["an empty one"]])(
    "is refused to the call that sends it, and to no other: %s",
    async (which) => {
      const { keys } = await givenBusiness();
      const wanted = which === "an empty one" ? "" : other.business.id;
      const asked = (headers: object = {}) =>
        call("GET", "/api/v1/business", {
          headers: { "X-Public-Key": keys.publishable, ...headers },
        });
      expect(await asked({ "X-Business-Id": wanted })).toMatchObject({ status: 403 });
      expect(await asked()).toMatchObject({ status: 200 });
      expect(await asked({ "X-Business-Id": wanted })).toMatchObject({ status: 403 });
    },
  );
});
