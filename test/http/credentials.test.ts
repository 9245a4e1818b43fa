import { beforeAll, describe, expect, it } from "vitest";
import {
  type CreatedBusiness,
  type KeyKind,
  type KeyScope,
  keyKinds,
  scopes,
} from "../../shared/businesses/index.ts";
import { refusalBody } from "../link/create-logins.ts";
import { createKey } from "../support/create-key.ts";
import { call, createBusiness } from "../support/world.ts";
import { byId, listOperations, type Operation } from "./operations.ts";
import { raiseRateLimits } from "./prepare-business.ts";

const operations = await listOperations();

let shop: CreatedBusiness;
let other: CreatedBusiness;
/** Secret keys with every scope except one, by the missing scope. */
const keysWithoutScope = new Map<string, string>();
/** Keys of the business whose mode is not the business's, by kind. */
const keysOfOtherMode = new Map<KeyKind, string>();

beforeAll(async () => {
  shop = await createBusiness();
  await raiseRateLimits(shop);
  for (const scope of new Set(operations.flatMap(scopesOf))) {
    const rest = scopes.filter((held) => held !== "*" && held !== scope);
    keysWithoutScope.set(scope, await createKey(shop, { scopes: rest }));
  }
  other = await createBusiness();
  for (const kind of keyKinds)
    keysOfOtherMode.set(kind, await createKey(shop, { kind, mode: "live", scopes: ["*"] }));
}, 60_000);

const securityOptions = ({ security }: Operation) => security.map((way) => Object.keys(way));
/** Whether one of the security options takes the credential. */
const takesCredential = (operation: Operation, credential: string) =>
  securityOptions(operation).some((names) => names.includes(credential));
/** Whether the operation can be called without a credential. */
const isOpen = (operation: Operation) =>
  operation.security.length === 0 || securityOptions(operation).some((names) => names.length === 0);

/** The kind of key that the operation takes. */
const keyKindOf = (operation: Operation): KeyKind | undefined =>
  keyKinds.find((kind) => takesCredential(operation, `${kind}Key`) && !isOpen(operation));

/** The header that carries a key of this kind. */
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

function scopesOf({ security }: Operation): KeyScope[] {
  const named = new Set(security.flatMap(({ secretKey = [] }) => secretKey));
  return scopes.filter((scope) => named.has(scope));
}

function ask({ method, path, takesJson }: Operation, headers: Record<string, string>) {
  const requestPath = path
    .replace("{business_id}", shop.business.id)
    .replaceAll(/\{\w+\}/g, shop.business.id);
  return call(method, requestPath, {
    ...(takesJson && { body: {} }),
    headers,
  });
}

const unauthorized = { status: 401, body: refusalBody("UNAUTHORIZED") };

/** Its credential is a signature, and a business without the provider has no such webhook. */
const ownWebhookPath = "/api/v1/payments/providers/{provider}/webhook/{business_id}";
const guarded = operations.filter((one) => !isOpen(one) && one.path !== ownWebhookPath);

describe.each(byId(guarded))("%s", (_, operation) => {
  it("rejects a missing or malformed credential", async () => {
    expect(await ask(operation, {})).toMatchObject(unauthorized);
    for (const text of ["sk_test_", "nonsense", shop.keys.secret.slice(0, -1)]) {
      const headers = { "X-API-Key": text, Authorization: `Bearer ${text}` };
      expect(await ask(operation, headers), text).toMatchObject(unauthorized);
    }
  });

  it("rejects a credential of the wrong kind", async () => {
    const { publishable, secret, deploy } = shop.keys;
    const wrong: Record<string, string>[] = [{ "X-Public-Key": secret }];
    if (!takesCredential(operation, "deployKey")) wrong.push({ "X-API-Key": deploy });
    if (!takesCredential(operation, "publishableKey")) wrong.push({ "X-Public-Key": publishable });
    if (!takesCredential(operation, "secretKey")) wrong.push({ "X-API-Key": secret });
    for (const headers of wrong)
      expect(await ask(operation, headers), Object.keys(headers)[0]).toMatchObject(unauthorized);
  });
});

describe.each(byId(operations.filter((operation) => scopesOf(operation).length > 0)))(
  "%s",
  (_, operation) => {
    it("rejects a secret key without its scope", async () => {
      for (const scope of scopesOf(operation)) {
        const answer = await ask(operation, { "X-API-Key": keysWithoutScope.get(scope) ?? "" });
        expect(answer).toMatchObject({ status: 403, body: refusalBody("FORBIDDEN") });
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
  it("rejects a key whose mode is not its business's", async () => {
    const headers = keyHeader(kind, keysOfOtherMode.get(kind) ?? "");
    expect(await ask(operation, headers)).toMatchObject({
      status: 401,
      body: refusalBody("UNAUTHORIZED", {
        message: "A live key does not serve a test business.",
      }),
    });
  });

  it("is 403 for another business's key", async () => {
    const headers = { ...keyHeader(kind, other.keys[kind]), "X-Business-Id": shop.business.id };
    expect(await ask(operation, headers)).toMatchObject({
      status: 403,
      body: refusalBody("FORBIDDEN", { message: "The key does not serve this business." }),
    });
  });
});

describe("an X-Business-Id of another business", () => {
  it.each([["another business's id"], ["an empty id"]])(
    "is refused only for the call that sends it: %s",
    async (which) => {
      const { keys } = await createBusiness();
      const wanted = which === "an empty id" ? "" : other.business.id;
      const ask = (headers: object = {}) =>
        call("GET", "/api/v1/business", {
          headers: { "X-Public-Key": keys.publishable, ...headers },
        });
      expect(await ask({ "X-Business-Id": wanted })).toMatchObject({ status: 403 });
      expect(await ask()).toMatchObject({ status: 200 });
      expect(await ask({ "X-Business-Id": wanted })).toMatchObject({ status: 403 });
    },
  );
});
