import { beforeAll, describe, expect, it } from "vitest";
import { type CreatedBusiness, type Scope, scopes } from "../../shared/businesses/index.ts";
import { givenKey } from "../business/given.ts";
import { refusal } from "../link/given.ts";
import { call, givenBusiness } from "../support/world.ts";
import { withoutLimits } from "./foreign-world.ts";
import { named, type Operation, operationsOfDocuments } from "./operations.ts";

const operations = await operationsOfDocuments();

let shop: CreatedBusiness;
/** Secret keys with every scope but the one. */
const lacking = new Map<string, string>();

beforeAll(async () => {
  shop = await givenBusiness();
  await withoutLimits(shop);
  for (const scope of new Set(operations.flatMap(scopesOf))) {
    const rest = scopes.filter((held) => held !== "*" && held !== scope);
    lacking.set(scope, await givenKey(shop, { scopes: rest }));
  }
}, 60_000);

const ways = ({ security }: Operation) => security.map((way) => Object.keys(way));
/** Whether every way in needs the credential. */
const needs = (operation: Operation, credential: string) =>
  ways(operation).every((names) => names.includes(credential));
/** Whether there is a way in without any. */
const isOpen = (operation: Operation) =>
  operation.security.length === 0 || ways(operation).some((names) => names.length === 0);

function scopesOf({ security }: Operation): Scope[] {
  const named = new Set(security.flatMap(({ secretKey = [] }) => secretKey));
  return scopes.filter((scope) => named.has(scope));
}

let addresses = 0;

function ask({ method, path, takesJson }: Operation, headers: Record<string, string>) {
  const address = addresses++;
  const place = path
    .replace("{business_id}", shop.business.id)
    .replaceAll(/\{\w+\}/g, shop.business.id);
  return call(method, place, {
    ...(takesJson && { body: {} }),
    headers: { "CF-Connecting-IP": `10.8.${address >> 8}.${address & 255}`, ...headers },
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
