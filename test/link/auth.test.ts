import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { chance } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { linkSessionRepo, logIn } from "../../shared/link/index.ts";
import { givenBusiness, roundTrips } from "../support/world.ts";
import {
  bearer,
  dataOf,
  givenLogin,
  link,
  refusal,
  someEmail,
  somePhone,
  storefront,
  verify,
} from "./given.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof storefront>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = storefront(shop);
});

const accountsOf = async (contact: string) => {
  const { results } = await env.CORE.prepare(
    "select mode, account_id, verified_at from link_contacts where value = ?",
  )
    .bind(contact)
    .all();
  return results;
};

async function openSessionsOf(accountId: string) {
  const { results } = await env.CORE.prepare("select id from link_sessions where account_id = ?")
    .bind(accountId)
    .all<{ id: string }>();
  const sessions = linkSessionRepo(openDb(env.CORE, createMeter()));
  return Promise.all(
    results.map(({ id }) => sessions.open({ sessionId: id, accountId }, Date.now())),
  );
}

describe("POST /auth/request-otp", () => {
  it("answers flat, the same whether the contact is known or not", async () => {
    const { contact } = await givenLogin(shop);
    const known = await ask("POST", "/auth/request-otp", { body: { contact } });
    const unknown = await ask("POST", "/auth/request-otp", { body: { contact: somePhone() } });
    expect(unknown).toMatchObject({
      status: 200,
      body: { success: true, message: expect.any(String) },
    });
    expect(known.body).toEqual(unknown.body);
    expect(roundTrips(known).d1).toBe(roundTrips(unknown).d1);
    expect(roundTrips(unknown).d1).toBeLessThanOrEqual(2);
  });

  it("answers 429 to one who asks again within 30 seconds", async () => {
    const contact = somePhone();
    await ask("POST", "/auth/request-otp", { body: { contact } });
    const early = await ask("POST", "/auth/request-otp", { body: { contact } });
    expect(early).toMatchObject({
      status: 429,
      body: refusal("RATE_LIMITED", { retryable: true }),
    });
    expect(early.headers.get("retry-after")).not.toBeNull();
  });

  it.each([
    {},
    { contact: "" },
    { contact: "neither" },
    { contact: "a@b.co", contact_type: "phone" },
  ])("refuses %j", async (body) => {
    const refused = await ask("POST", "/auth/request-otp", { body });
    expect(refused).toMatchObject({ status: 400, body: refusal("VALIDATION_ERROR") });
  });

  it("takes a publishable key, and no other", async () => {
    const body = { contact: somePhone() };
    expect((await link("POST", "/auth/request-otp", { body })).status).toBe(401);
    const headers = { "X-API-Key": shop.keys.secret };
    expect((await link("POST", "/auth/request-otp", { body, headers })).status).toBe(401);
  });
});

describe("POST /auth/verify-otp", () => {
  it("answers flat with a pair of tokens, and makes an account", async () => {
    const answer = await verify(shop, somePhone());
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

  it("finds the account again at another business", async () => {
    const contact = someEmail();
    const first = await givenLogin(shop, { contact });
    const again = await givenLogin(await givenBusiness(), { contact });
    expect([again.accountId, again.customerId]).toEqual([first.accountId, first.customerId]);
    expect(again.token).not.toBe(first.token);
  });

  it("makes one account, however many log in with a new contact at once", async () => {
    const contact = somePhone();
    const ctx = { ...chance, db: openDb(env.CORE, createMeter()) };
    const proved = { contact: { type: "phone" as const, value: contact }, mode: "test" as const };
    const from = { holder: null, device: null, country: null };
    const issued = await Promise.all(
      Array.from({ length: 6 }, () => logIn(ctx, { ...proved, ...from })),
    );
    expect(new Set(issued.map(({ account }) => account.id)).size).toBe(1);
    expect(await accountsOf(contact)).toHaveLength(1);
  });

  it.each(["12345", "000000", "1234567", "123"])("refuses the code %s", async (otp_code) => {
    const contact = somePhone();
    await ask("POST", "/auth/request-otp", { body: { contact } });
    const refused = await ask("POST", "/auth/verify-otp", { body: { contact, otp_code } });
    const isShaped = otp_code.length >= 4 && otp_code.length <= 6;
    expect(refused.status).toBe(isShaped ? 401 : 400);
    expect(await accountsOf(contact)).toEqual([]);
  });

  it("keeps test accounts and live ones apart, whoever is logged in", async () => {
    const contact = somePhone();
    const { accountId, token } = await givenLogin(shop, { contact });
    const live = await givenBusiness({ mode: "live" });
    const enrolled = await storefront(live)("POST", "/enroll", { body: { contact } });
    expect(dataOf(enrolled).account_id).not.toBe(accountId);
    const refused = await storefront(live)("POST", "/auth/verify-otp", {
      body: { contact, otp_code: "123456" },
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(refused.status).toBe(401);
    expect(await accountsOf(contact)).toHaveLength(2);
  });

  it("joins no contact of one mode to an account of the other", async () => {
    const { accountId } = await givenLogin(shop);
    const ctx = { ...chance, db: openDb(env.CORE, createMeter()) };
    const [session] = await openSessionsOf(accountId);
    const contact = { type: "phone" as const, value: somePhone() };
    const from = { holder: session?.account ?? null, device: null, country: null };
    expect(from.holder?.id).toBe(accountId);
    const { account } = await logIn(ctx, { contact, mode: "live", ...from });
    expect(account).toMatchObject({ mode: "live" });
    expect(account.id).not.toBe(accountId);
  });

  it("joins a new contact to the account that is logged in", async () => {
    const { token, accountId, contact } = await givenLogin(shop);
    const email = someEmail();
    const headers = { Authorization: `Bearer ${token}` };
    expect((await givenLogin(shop, { contact: email, headers })).accountId).toBe(accountId);
    const { customer } = dataOf(await bearer(token)("GET", "/data"));
    expect(customer).toMatchObject({ phone: contact, email });
    expect((await givenLogin(shop, { contact: email })).accountId).toBe(accountId);
  });

  it("never takes a contact from the account that has it", async () => {
    const owner = await givenLogin(shop);
    const other = await givenLogin(shop);
    const headers = { Authorization: `Bearer ${other.token}` };
    const login = await givenLogin(shop, { contact: owner.contact, headers });
    expect(login.accountId).toBe(owner.accountId);
  });

  it("lets somebody with an outdated token log in all the same", async () => {
    const headers = { Authorization: "Bearer lnk_outdated" };
    expect((await verify(shop, somePhone(), { headers })).status).toBe(200);
  });
});

describe("a session token", () => {
  it("opens the account for 60 minutes, in at most 2 round trips", async () => {
    const start = Date.parse("2031-01-01T00:00:00Z");
    vi.setSystemTime(start);
    const { ask } = await givenLogin(shop);
    vi.setSystemTime(start + 3_599_000);
    const answer = await ask("GET", "/data");
    expect(answer.status).toBe(200);
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    vi.setSystemTime(start + 3_600_000);
    expect(await ask("GET", "/data")).toMatchObject({ status: 401, body: refusal("UNAUTHORIZED") });
  });

  it("is over at once after POST /auth/logout", async () => {
    const { ask, refreshToken } = await givenLogin(shop);
    expect(await ask("POST", "/auth/logout")).toMatchObject({
      status: 200,
      body: { success: true, message: expect.any(String) },
    });
    expect((await ask("GET", "/data")).status).toBe(401);
    expect((await ask("POST", "/auth/logout")).status).toBe(401);
    const body = { refresh_token: refreshToken };
    expect((await link("POST", "/auth/refresh", { body })).status).toBe(401);
  });

  it("and no refresh token stands in the database as it is", async () => {
    const { refreshToken, token } = await givenLogin(shop);
    const { results } = await env.CORE.prepare("select * from link_refresh_tokens").all();
    const { results: sessions } = await env.CORE.prepare("select * from link_sessions").all();
    const kept = JSON.stringify([results, sessions]);
    expect(kept).not.toContain(refreshToken);
    expect(kept).not.toContain(token);
  });
});
