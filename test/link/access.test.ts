import { SignJWT } from "jose";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createBusiness } from "../support/world.ts";
import { bearerCaller, bodyOf, callLink, createLogin, refusalBody } from "./create-logins.ts";

type DocumentedCall = Readonly<{
  method: string;
  path: string;
  operation: Readonly<{
    summary?: string;
    security: readonly Record<string, string[]>[];
    requestBody?: object;
    responses: Record<string, object>;
  }>;
}>;

const prefix = "/v1/link";
const document = bodyOf(await callLink("GET", "/openapi.json"));

const calls: readonly DocumentedCall[] = Object.entries<object>(document.paths).flatMap(
  ([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.slice(prefix.length).replace(/\{\w+\}/, "addr_01"),
      operation,
    })),
);

const bearerCalls = calls.filter(({ operation: { security } }) =>
  security.every(
    (requirement) => "linkSession" in requirement && Object.keys(requirement).length === 1,
  ),
);

/** The calls of docs/contract/link.md#link-endpoints. */
const documentedCalls = [
  "POST /auth/request-otp",
  "POST /auth/verify-otp",
  "POST /auth/logout",
  "POST /auth/refresh",
  "GET /elements/auth",
  "GET /elements/account",
  "POST /elements/request-otp",
  "POST /elements/verify-otp",
  "POST /elements/refresh",
  "POST /check-status",
  "POST /enroll",
  "POST /enroll-and-link-order",
  "GET /data",
  "GET /preferences",
  "POST /preferences",
  "GET /addresses",
  "POST /addresses",
  "POST /addresses/addr_01",
  "DELETE /addresses/addr_01",
  "POST /addresses/addr_01/default",
  "POST /addresses/addr_01/track-usage",
  "GET /mobile-money",
  "POST /mobile-money",
  "DELETE /mobile-money/addr_01",
  "POST /mobile-money/addr_01/default",
  "POST /mobile-money/addr_01/track-usage",
  "POST /mobile-money/addr_01/verify",
  "GET /pending-details",
  "POST /pending-details/addr_01/confirm",
  "DELETE /pending-details/addr_01",
  "GET /contacts",
  "POST /contacts",
  "DELETE /contacts/addr_01",
  "GET /platforms",
  "DELETE /platforms/addr_01",
  "GET /sessions",
  "DELETE /sessions",
  "DELETE /sessions/addr_01",
];

describe("GET /v1/link/openapi.json", () => {
  it("lists exactly the calls of the contract", () => {
    expect(calls.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      [...documentedCalls].sort(),
    );
    expect(bearerCalls).toHaveLength(27);
  });

  it("documents summary, responses and credentials of each call", () => {
    for (const { operation } of calls) {
      expect(operation.summary).toMatch(/\w/);
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(["200", "400", "401", "429", "500", "503"]),
      );
      for (const requirement of operation.security) {
        for (const name of Object.keys(requirement)) {
          expect(document.components.securitySchemes).toHaveProperty(name);
        }
      }
    }
  });
});

describe.each(bearerCalls)("$method $path", ({ method, path, operation }) => {
  let tokens: Readonly<Record<string, string>>;
  const options = operation.requestBody ? { body: {} } : {};

  beforeAll(async () => {
    vi.setSystemTime(Date.now() - 2 * 3_600_000);
    const expired = (await createLogin(await createBusiness())).token;
    vi.useRealTimers();
    const shop = await createBusiness();
    const revoked = await createLogin(shop);
    await revoked.ask("DELETE", "/sessions");
    const { token, refreshToken } = await createLogin(shop);
    const [head, payload, signature = ""] = token.split(".");
    const [, other] = (await createLogin(shop)).token.split(".");
    const forged = await new SignJWT({ sid: "ses_01" })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject("acc_01")
      .setAudience("link")
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode("another secret"));
    tokens = {
      expired,
      revoked: revoked.token,
      "another's claims": [head, other, signature].join("."),
      truncated: [head, payload, signature.slice(0, -6)].join("."),
      unsigned: `lnk_${btoa('{"alg":"none"}').replace(/=+$/, "")}.${payload}.`,
      forged: `lnk_${forged}`,
      "without its prefix": token.slice(4),
      "a refresh token": refreshToken,
      "a secret key": shop.keys.secret,
      empty: "",
    };
  });

  it("rejects a call without a token", async () => {
    expect(await callLink(method, path, options)).toMatchObject({
      status: 401,
      body: refusalBody("UNAUTHORIZED"),
    });
  });

  it("rejects an expired, revoked or forged token", async () => {
    for (const [kind, token] of Object.entries(tokens)) {
      const answer = await bearerCaller(token)(method, path, options);
      expect([kind, answer.status]).toEqual([kind, 401]);
    }
  });
});
