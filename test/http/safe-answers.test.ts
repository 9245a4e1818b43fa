import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenKey } from "../business/given.ts";
import { givenLogin, refusal } from "../link/given.ts";
import { givenSettings } from "../support/settings.ts";
import { type Answer, type CallOptions, call, givenBusiness } from "../support/world.ts";
import { withoutLimits } from "./open-shop.ts";
import { named, type Operation, operationsOfDocuments } from "./operations.ts";

const operations = await operationsOfDocuments();

let shop: CreatedBusiness;
let linkToken: string;

beforeAll(async () => {
  shop = await givenBusiness();
  await withoutLimits(shop);
  linkToken = (await givenLogin(shop)).token;
}, 60_000);

/** What opens the call, of all its ways in the one that asks for most. */
function credentialsOf({ security }: Operation): Record<string, string> {
  const names = security.flatMap((way) => Object.keys(way));
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  return {
    ...(names.includes("publishableKey") && { "X-Public-Key": shop.keys.publishable }),
    ...(names.includes("secretKey") && { "X-API-Key": shop.keys.secret }),
    ...(names.includes("deployKey") && bearer(shop.keys.deploy)),
    ...(names.includes("operatorToken") && bearer(env.OPERATOR_TOKEN)),
    ...(names.includes("linkSession") && bearer(linkToken)),
  };
}

function ask(operation: Operation, options: CallOptions = {}, method?: string) {
  const path = operation.path
    .replace("{business_id}", shop.business.id)
    .replaceAll(/\{\w+\}/g, "unknown");
  return call(method ?? operation.method, path, options);
}

const headersOf = ({ headers }: Answer) => Object.fromEntries(headers);

const guarded = {
  "x-content-type-options": "nosniff",
  "referrer-policy": expect.stringMatching(/^(?:no-referrer|same-origin)$/),
  "strict-transport-security": "max-age=31536000",
  "x-request-id": expect.any(String),
  "x-ratelimit-limit": expect.stringMatching(/^\d+$/),
  "x-ratelimit-remaining": expect.stringMatching(/^\d+$/),
  "x-ratelimit-reset": expect.stringMatching(/^\d+$/),
};

describe.each(named(operations))("%s", (_, operation) => {
  it("guards its answers, refused or not, and leaves what is personal in no cache", async () => {
    for (const headers of [{}, credentialsOf(operation)]) {
      const answer = await ask(operation, { headers, ...(operation.takesJson && { body: {} }) });
      expect(answer.status).toBeLessThan(500);
      expect(headersOf(answer)).toMatchObject(guarded);
      const cached = answer.headers.get("cache-control") ?? "";
      const isPublic = operation.method === "GET" && isForEverybody.test(operation.path);
      expect(cached).toMatch(isPublic ? /^(?:no-store|public, no-cache)$/ : /^no-store$/);
    }
  });

  it("answers a preflight of any origin, without a key", async () => {
    const headers = { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" };
    const answer = await ask(operation, { headers }, "OPTIONS");
    expect(answer.status).toBe(204);
    expect(headersOf(answer)).toMatchObject({
      ...guarded,
      "access-control-allow-origin": "https://shop.example",
      "access-control-allow-credentials": "true",
    });
  });
});

const isForEverybody = /^\/api\/v1\/(?:catalogue|business|scheduling\/services)(?:\/|$)/;

describe("a body over 1 MiB", () => {
  const large = JSON.stringify({ text: "x".repeat(1024 * 1024) });

  beforeAll(async () => {
    linkToken = (await givenLogin(shop)).token; // the calls above logged the other one out
  });

  it.each(named(operations.filter(({ takesJson }) => takesJson)))(
    "is refused with 413 by %s",
    async (_, operation) => {
      const headers = { "Content-Type": "application/json", ...credentialsOf(operation) };
      const answer = await ask(operation, { raw: large, headers });
      expect(answer).toMatchObject({ status: 413, body: refusal("VALIDATION_ERROR") });
    },
  );
});

describe("an origin that a business does not know", () => {
  it("may neither call with its publishable key nor read the refusal; a known one may", async () => {
    const strict = await givenBusiness({ mode: "live" });
    await givenSettings(strict, { allowedOrigins: ["https://shop.example"] });
    const from = (Origin: string) =>
      call("GET", "/api/v1/business", {
        headers: { "X-Public-Key": strict.keys.publishable, Origin },
      });
    const stranger = await from("https://elsewhere.example");
    expect(stranger).toMatchObject({ status: 403, body: refusal("FORBIDDEN") });
    expect(stranger.headers.get("access-control-allow-origin")).toBeNull();
    const known = await from("https://shop.example");
    expect(known.status).toBe(200);
    expect(headersOf(known)).toMatchObject({
      "access-control-allow-origin": "https://shop.example",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": expect.stringContaining("X-RateLimit-Remaining"),
    });
  });
});

describe("a secret key", () => {
  it("is changed without a moment in which neither the old nor the new one works", async () => {
    const rotating = await givenBusiness();
    const works = async (key: string) =>
      (
        await call("GET", `/v1/businesses/${rotating.business.id}`, {
          headers: { "X-API-Key": key },
        })
      ).status;
    const old = rotating.keys.secret;
    expect(await works(old)).toBe(200);
    const fresh = await givenKey(rotating, { scopes: ["*"] });
    expect([await works(old), await works(fresh)]).toEqual([200, 200]);
    const path = `/v1/businesses/${rotating.business.id}/keys`;
    const listed = await call("GET", path, { headers: { "X-API-Key": fresh } });
    const first = Object(listed.body).data.items.findLast(
      ({ kind }: { kind: string }) => kind === "secret",
    );
    const revoked = await call("DELETE", `${path}/${first.id}`, {
      headers: { "X-API-Key": fresh },
    });
    expect(revoked.status).toBe(200);
    expect(await works(fresh)).toBe(200);
    vi.setSystemTime(Date.now() + 10_000);
    expect([await works(old), await works(fresh)]).toEqual([401, 200]);
  });
});
