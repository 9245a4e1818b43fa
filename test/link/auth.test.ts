import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { logIn } from "../../shared/link/index.ts";
import { createBusiness, roundTrips } from "../support/world.ts";
import {
  bearerCaller,
  callLink,
  createLogin,
  createLoginContext,
  dataOf,
  logInLive,
  refusalBody,
  requestLogin,
  storefrontCaller,
  uniqueEmail,
  uniquePhone,
} from "./create-logins.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof storefrontCaller>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = storefrontCaller(shop);
});

const loadContactRows = async (contact: string) => {
  const { results } = await env.CORE.prepare(
    "select mode, account_id, verified_at from link_contacts where value = ?",
  )
    .bind(contact)
    .all();
  return results;
};

describe("POST /auth/request-otp", () => {
  it("responds without an envelope, the same for known and unknown contacts", async () => {
    const { contact } = await createLogin(shop);
    const known = await ask("POST", "/auth/request-otp", { body: { contact } });
    const unknown = await ask("POST", "/auth/request-otp", { body: { contact: uniquePhone() } });
    expect(unknown).toMatchObject({
      status: 200,
      body: { success: true, message: expect.any(String) },
    });
    expect(known.body).toEqual(unknown.body);
    expect(roundTrips(known).d1).toBe(roundTrips(unknown).d1);
    expect(roundTrips(unknown).d1).toBeLessThanOrEqual(2);
  });

  it("returns 429 when repeated within 30 seconds", async () => {
    const contact = uniquePhone();
    await ask("POST", "/auth/request-otp", { body: { contact } });
    const early = await ask("POST", "/auth/request-otp", { body: { contact } });
    expect(early).toMatchObject({
      status: 429,
      body: refusalBody("RATE_LIMITED", { retryable: true }),
    });
    expect(early.headers.get("retry-after")).not.toBeNull();
  });

  it.each([
    {},
    { contact: "" },
    { contact: "neither" },
    { contact: "a@b.co", contact_type: "phone" },
  ])("rejects %j", async (body) => {
    const refused = await ask("POST", "/auth/request-otp", { body });
    expect(refused).toMatchObject({ status: 400, body: refusalBody("VALIDATION_ERROR") });
  });

  it("requires a publishable key", async () => {
    const body = { contact: uniquePhone() };
    expect((await callLink("POST", "/auth/request-otp", { body })).status).toBe(401);
    const headers = { "X-API-Key": shop.keys.secret };
    expect((await callLink("POST", "/auth/request-otp", { body, headers })).status).toBe(401);
  });
});

describe("POST /auth/verify-otp", () => {
  it("returns tokens without an envelope, and creates an account", async () => {
    const answer = await requestLogin(shop, uniquePhone());
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        session_token: expect.stringMatching(/^lnk_/),
        refresh_token: expect.stringMatching(/^rfr_/),
        expires_in: 3_600,
        account_id: expect.stringMatching(/^acc_/),
        customer_id: expect.stringMatching(/^cus_/),
        message: expect.any(String),
      },
    });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
  });

  it("opens the same account at another business", async () => {
    const contact = uniqueEmail();
    const first = await createLogin(shop, { contact });
    const again = await createLogin(await createBusiness(), { contact });
    expect([again.accountId, again.customerId]).toEqual([first.accountId, first.customerId]);
    expect(again.token).not.toBe(first.token);
  });

  it("creates one account for concurrent logins with a new contact", async () => {
    const contact = uniquePhone();
    const ctx = await createLoginContext();
    const login = { contact: { type: "phone" as const, value: contact }, mode: "test" as const };
    const origin = { device: null, country: null };
    const issued = await Promise.all(
      Array.from({ length: 6 }, () => logIn(ctx, { ...login, ...origin })),
    );
    expect(new Set(issued.map(({ account }) => account.id)).size).toBe(1);
    expect(await loadContactRows(contact)).toHaveLength(1);
  });

  it.each(["12345", "000000", "1234567", "123"])("rejects the code %s", async (otp_code) => {
    const contact = uniquePhone();
    await ask("POST", "/auth/request-otp", { body: { contact } });
    const refused = await ask("POST", "/auth/verify-otp", { body: { contact, otp_code } });
    const isShaped = otp_code.length >= 4 && otp_code.length <= 6;
    expect(refused.status).toBe(isShaped ? 401 : 400);
    expect(await loadContactRows(contact)).toEqual([]);
  });

  it("separates test and live accounts, also with a session", async () => {
    const contact = uniquePhone();
    const { accountId, token } = await createLogin(shop, { contact });
    const live = await createBusiness({ mode: "live" });
    expect((await logInLive(contact)).account.id).not.toBe(accountId);
    const refused = await storefrontCaller(live)("POST", "/auth/verify-otp", {
      body: { contact, otp_code: "123456" },
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(refused.status).toBe(401);
    expect(await loadContactRows(contact)).toHaveLength(2);
  });

  it("adds no contact to the account of a session that is sent along", async () => {
    const { token, accountId, contact } = await createLogin(shop);
    const email = uniqueEmail();
    const headers = { Authorization: `Bearer ${token}` };
    const other = await createLogin(shop, { contact: email, headers });
    expect(other.accountId).not.toBe(accountId);
    const { customer } = dataOf(await bearerCaller(token)("GET", "/data"));
    expect(customer).toMatchObject({ phone: contact, email: null });
  });

  it("does not move a contact to another account", async () => {
    const owner = await createLogin(shop);
    const other = await createLogin(shop);
    const headers = { Authorization: `Bearer ${other.token}` };
    const login = await createLogin(shop, { contact: owner.contact, headers });
    expect(login.accountId).toBe(owner.accountId);
  });

  it("ignores an invalid session token", async () => {
    const headers = { Authorization: "Bearer lnk_outdated" };
    expect((await requestLogin(shop, uniquePhone(), { headers })).status).toBe(200);
  });
});

describe("a session token", () => {
  it("is valid for 60 minutes; a call takes at most 2 round trips", async () => {
    const start = Date.parse("2031-01-01T00:00:00Z");
    vi.setSystemTime(start);
    const { ask } = await createLogin(shop);
    vi.setSystemTime(start + 3_599_000);
    const answer = await ask("GET", "/data");
    expect(answer.status).toBe(200);
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    vi.setSystemTime(start + 3_600_000);
    expect(await ask("GET", "/data")).toMatchObject({
      status: 401,
      body: refusalBody("UNAUTHORIZED"),
    });
  });

  it("is revoked by POST /auth/logout", async () => {
    const { ask, refreshToken } = await createLogin(shop);
    expect(await ask("POST", "/auth/logout")).toMatchObject({
      status: 200,
      body: { success: true, message: expect.any(String) },
    });
    expect((await ask("GET", "/data")).status).toBe(401);
    expect((await ask("POST", "/auth/logout")).status).toBe(401);
    const body = { refresh_token: refreshToken };
    expect((await callLink("POST", "/auth/refresh", { body })).status).toBe(401);
  });

  it("is not stored in the database, nor is the refresh token", async () => {
    const { refreshToken, token } = await createLogin(shop);
    const { results } = await env.CORE.prepare("select * from link_refresh_tokens").all();
    const { results: sessions } = await env.CORE.prepare("select * from link_sessions").all();
    const stored = JSON.stringify([results, sessions]);
    expect(stored).not.toContain(refreshToken);
    expect(stored).not.toContain(token);
  });
});
