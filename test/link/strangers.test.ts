import { SignJWT } from "jose";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { givenBusiness } from "../support/world.ts";
import { bearer, bodyOf, givenLogin, link, refusal } from "./given.ts";

type Row = Readonly<{
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
const document = bodyOf(await link("GET", "/openapi.json"));

const rows: readonly Row[] = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: path.slice(prefix.length).replace(/\{\w+\}/, "addr_01"),
    operation,
  })),
);

const ofBearer = rows.filter(({ operation: { security } }) =>
  security.every((way) => "linkSession" in way && Object.keys(way).length === 1),
);

/** interface.md, Link API: the table. */
const table = [
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
  "GET /sessions",
  "DELETE /sessions",
  "DELETE /sessions/addr_01",
];

describe("GET /v1/link/openapi.json", () => {
  it("names every call of the contract, and no other", () => {
    expect(rows.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...table].sort());
    expect(ofBearer).toHaveLength(19);
  });

  it("says of each what it does, answers and takes", () => {
    for (const { operation } of rows) {
      expect(operation.summary).toMatch(/\w/);
      expect(Object.keys(operation.responses)).toEqual(["200", "default"]);
      for (const way of operation.security) {
        for (const name of Object.keys(way)) {
          expect(document.components.securitySchemes).toHaveProperty(name);
        }
      }
    }
  });
});

describe.each(ofBearer)("$method $path", ({ method, path, operation }) => {
  let tokens: Readonly<Record<string, string>>;
  const options = operation.requestBody ? { body: {} } : {};

  beforeAll(async () => {
    vi.setSystemTime(Date.now() - 2 * 3_600_000);
    const expired = (await givenLogin(await givenBusiness())).token;
    vi.useRealTimers();
    const shop = await givenBusiness();
    const revoked = await givenLogin(shop);
    await revoked.ask("DELETE", "/sessions");
    const { token, refreshToken } = await givenLogin(shop);
    const [head, payload, signature = ""] = token.split(".");
    const [, other] = (await givenLogin(shop)).token.split(".");
    const forged = await new SignJWT({ sid: "ses_01" })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject("acc_01")
      .setAudience("link")
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode("another secret, of somebody else"));
    tokens = {
      expired,
      revoked: revoked.token,
      "another's claims": [head, other, signature].join("."),
      "cut short": [head, payload, signature.slice(0, -6)].join("."),
      unsigned: `lnk_${btoa('{"alg":"none"}').replace(/=+$/, "")}.${payload}.`,
      forged: `lnk_${forged}`,
      "without its prefix": token.slice(4),
      "a refresh token": refreshToken,
      "a secret key": shop.keys.secret,
      empty: "",
    };
  });

  it("takes no call without a token", async () => {
    expect(await link(method, path, options)).toMatchObject({
      status: 401,
      body: refusal("UNAUTHORIZED"),
    });
  });

  it("takes no token that is expired, revoked or tampered with", async () => {
    for (const [what, token] of Object.entries(tokens)) {
      const answer = await bearer(token)(method, path, options);
      expect([what, answer.status]).toEqual([what, 401]);
    }
  });
});
