import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createLogin, refusalBody } from "../link/create-logins.ts";
import { createMember, type LoggedInMember } from "../support/console.ts";
import { createKey } from "../support/create-key.ts";
import { changeSettings } from "../support/settings.ts";
import {
  type ApiResponse,
  type CallOptions,
  call,
  createBusiness,
  testAddress,
} from "../support/world.ts";
import { byId, listOperations, type Operation } from "./operations.ts";
import { raiseRateLimits } from "./prepare-business.ts";

const operations = await listOperations();

let shop: CreatedBusiness;
let linkToken: string;
let member: LoggedInMember;

beforeAll(async () => {
  shop = await createBusiness();
  await raiseRateLimits(shop);
  linkToken = (await createLogin(shop)).token;
  member = await createMember(shop, "owner");
}, 60_000);

/** Credentials that authorize the operation; the strongest of its security options. */
function credentialsOf({ security }: Operation): Record<string, string> {
  const names = security.flatMap((way) => Object.keys(way));
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  return {
    ...(names.includes("publishableKey") && { "X-Public-Key": shop.keys.publishable }),
    ...(names.includes("secretKey") && { "X-API-Key": shop.keys.secret }),
    ...(names.includes("deployKey") && bearer(shop.keys.deploy)),
    ...(names.includes("operatorToken") && bearer(env.OPERATOR_TOKEN)),
    ...(names.includes("linkSession") && bearer(linkToken)),
    ...(names.includes("consoleSession") &&
      names.length === 1 && { Cookie: member.cookie, Origin: testAddress.origin }),
  };
}

function ask(operation: Operation, options: CallOptions = {}, method?: string) {
  const path = operation.path
    .replace("{business_id}", shop.business.id)
    .replaceAll(/\{\w+\}/g, "unknown");
  return call(method ?? operation.method, path, options);
}

const headersOf = ({ headers }: ApiResponse) => Object.fromEntries(headers);

const securityHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": expect.stringMatching(/^(?:no-referrer|same-origin)$/),
  "strict-transport-security": "max-age=31536000",
  "x-request-id": expect.any(String),
  "x-ratelimit-limit": expect.stringMatching(/^\d+$/),
  "x-ratelimit-remaining": expect.stringMatching(/^\d+$/),
  "x-ratelimit-reset": expect.stringMatching(/^\d+$/),
};

describe.each(byId(operations))("%s", (_, operation) => {
  it("sends security headers with every response and forbids caching personal data", async () => {
    for (const headers of [{}, credentialsOf(operation)]) {
      const answer = await ask(operation, { headers, ...(operation.takesJson && { body: {} }) });
      expect(answer.status).toBeLessThan(500);
      expect(headersOf(answer)).toMatchObject(securityHeaders);
      const cached = answer.headers.get("cache-control") ?? "";
      const isPublic = operation.method === "GET" && publicReads.test(operation.path);
      expect(cached).toMatch(isPublic ? /^(?:no-store|public, no-cache)$/ : /^no-store$/);
    }
  });

  it("answers a preflight of any origin without a key", async () => {
    const headers = { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" };
    const answer = await ask(operation, { headers }, "OPTIONS");
    expect(answer.status).toBe(204);
    expect(headersOf(answer)).toMatchObject({
      ...securityHeaders,
      "access-control-allow-origin": "https://shop.example",
      "access-control-allow-credentials": "true",
    });
  });
});

const publicReads = /^\/api\/v1\/(?:catalogue|business|scheduling\/services)(?:\/|$)/;

describe("a body over 1 MiB", () => {
  const large = JSON.stringify({ text: "x".repeat(1024 * 1024) });

  beforeAll(async () => {
    shop = await createBusiness(); // the tests above closed the first one, and logged its session out
    await raiseRateLimits(shop);
    linkToken = (await createLogin(shop)).token;
    member = await createMember(shop, "owner");
  });

  it.each(byId(operations.filter(({ takesJson }) => takesJson)))(
    "is rejected with 413 by %s",
    async (_, operation) => {
      const headers = { "Content-Type": "application/json", ...credentialsOf(operation) };
      const answer = await ask(operation, { rawBody: large, headers });
      expect(answer).toMatchObject({ status: 413, body: refusalBody("VALIDATION_ERROR") });
    },
  );
});

describe("an origin that a business does not allow", () => {
  it("can neither use the publishable key nor read the error; an allowed origin can", async () => {
    const strict = await createBusiness({ mode: "live" });
    await changeSettings(strict, { allowedOrigins: ["https://shop.example"] });
    const from = (Origin: string) =>
      call("GET", "/api/v1/business", {
        headers: { "X-Public-Key": strict.keys.publishable, Origin },
      });
    const refused = await from("https://elsewhere.example");
    expect(refused).toMatchObject({ status: 403, body: refusalBody("FORBIDDEN") });
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
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
  it("is rotated without an interruption", async () => {
    const rotating = await createBusiness();
    const works = async (key: string) =>
      (
        await call("GET", `/v1/businesses/${rotating.business.id}`, {
          headers: { "X-API-Key": key },
        })
      ).status;
    const old = rotating.keys.secret;
    expect(await works(old)).toBe(200);
    const fresh = await createKey(rotating, { scopes: ["*"] });
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
