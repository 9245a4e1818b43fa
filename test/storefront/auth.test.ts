import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day, second } from "../../shared/kernel/index.ts";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper, logIn, sessionCookieOf, testCode } from "../support/sessions.ts";
import { createBusiness, dataOf, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
  ask = shopper(shop);
  await ask("GET", "/auth/status"); // caches the key, so that only the call's own round trips are counted
});

const phone = "+233241234567";
const passes = (ms: number) => vi.setSystemTime(Date.now() + ms);
const request = (contact: string, headers = {}) =>
  ask("POST", "/auth/request-otp", { body: { contact }, headers });
const verify = (contact: string, otp_code = testCode, headers = {}) =>
  ask("POST", "/auth/verify-otp", { body: { contact, otp_code }, headers });
const erase = (id: string) => merchant(shop)("DELETE", `/customers/${id}/data`);

/** A customer whose phone is all that is known. */
const phoneCustomer = {
  id: expect.stringMatching(/^cus_/),
  name: null,
  email: null,
  phone,
  pending_email: null,
  pending_phone: null,
};
const nobody = { is_authenticated: false, customer: null };
const customers = () =>
  selectRows(shop, "select * from customers where business_id = ?", shop.business.id);

describe("GET /api/v1/auth/status", () => {
  it("responds false and null without a session, and starts none", async () => {
    const answer = await ask("GET", "/auth/status");
    expect(answer).toMatchObject({ status: 200 });
    expect(dataOf(answer)).toEqual({ ...nobody, session_expires_at: null });
    expect(sessionCookieOf(answer)).toBeNull();
    expect(roundTrips(answer)).toMatchObject({ d1: 0, do: 0 });
  });

  it("responds with the expiry of an anonymous session", async () => {
    await ask("GET", "/cart");
    const answer = await ask("GET", "/auth/status");
    const ends = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 30 * day).toISOString();
    expect(dataOf(answer)).toEqual({ ...nobody, session_expires_at: ends });
    expect(roundTrips(answer)).toMatchObject({ d1: 0, do: 1 });
  });

  it("responds with the logged-in customer", async () => {
    const { expires_at } = dataOf(await logIn(ask, phone)).session;
    const answer = await ask("GET", "/auth/status");
    expect(dataOf(answer)).toEqual({
      is_authenticated: true,
      customer: phoneCustomer,
      session_expires_at: expires_at,
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 1 });
  });

  it("renews the cookie of a session that is used", async () => {
    await logIn(ask, phone);
    for (const _ of [1, 2, 3]) {
      passes(20 * day);
      const answer = await ask("GET", "/auth/status");
      expect(dataOf(answer)).toMatchObject({ is_authenticated: true });
      expect(Date.parse(dataOf(answer).session_expires_at)).toBeGreaterThan(Date.now() + 29 * day);
    }
    passes(31 * day);
    expect(dataOf(await ask("GET", "/auth/status"))).toEqual({
      ...nobody,
      session_expires_at: null,
    });
  });

  it("treats a customer whose data were erased as logged out", async () => {
    const { id } = dataOf(await logIn(ask, phone)).customer;
    passes(second);
    expect(await erase(id)).toMatchObject({ status: 200 });
    expect(dataOf(await ask("GET", "/auth/status"))).toMatchObject(nobody);
    expect(await ask("POST", "/auth/profile", { body: { name: "Ama" } })).toMatchObject({
      status: 401,
    });
  });
});

describe("POST /api/v1/auth/request-otp", () => {
  it("responds the same, with the same work, for known and unknown contacts", async () => {
    await createCustomer(shop, phoneContact(phone));
    const answers = [await request(phone), await request("+233201111111")];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200 });
      expect(dataOf(answer)).toEqual({
        delivery_channel: "sms",
        expires_in_seconds: 300,
        next_resend_in_seconds: 30,
      });
      expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 0 });
      expect(sessionCookieOf(answer)).toBeNull();
    }
    expect(dataOf(await request("Ama@Example.com"))).toMatchObject({ delivery_channel: "email" });
  });

  it("is 429 with Retry-After within 30 seconds, unless the code was redeemed", async () => {
    await request(phone);
    const early = await request("024 123 4567");
    expect(early).toMatchObject({ status: 429, body: { error: { code: "RATE_LIMITED" } } });
    expect(early.headers.get("Retry-After")).toBe("30");
    await verify(phone);
    expect(await request(phone)).toMatchObject({ status: 200 });
    passes(30 * second);
    expect(await request(phone)).toMatchObject({ status: 200 });
  });

  it("allows 20 codes an hour per CF-Connecting-IP", async () => {
    const from = (address: string, number: number, forwarded = "") =>
      request(`+2332011111${10 + number}`, {
        "CF-Connecting-IP": address,
        "X-Forwarded-For": forwarded,
      });
    for (let number = 0; number < 20; number += 1)
      expect(await from("203.0.113.7", number)).toMatchObject({ status: 200 });
    expect(await from("203.0.113.7", 20, "198.51.100.1")).toMatchObject({ status: 429 });
    expect(await from("198.51.100.1", 20)).toMatchObject({ status: 200 });
  });

  it.each([
    [{}, "contact"],
    [{ contact: "nobody" }, "contact"],
    [{ contact: phone, contact_type: "email" }, "contact_type"],
    [{ contact: phone, contact_type: "fax" }, "contact_type"],
  ])("is 400 for %j", async (body, field) => {
    expect(await ask("POST", "/auth/request-otp", { body })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });
});

describe("POST /api/v1/auth/verify-otp", () => {
  it("creates a customer at the first login and finds it at the next", async () => {
    await request("024 123 4567");
    const answer = await verify("0241234567");
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(dataOf(answer)).toEqual({
      customer: phoneCustomer,
      session: { expires_at: expect.stringMatching(/Z$/), session_token: expect.any(String) },
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 1 });
    const again = await logIn(shopper(shop), phone);
    expect(dataOf(again).customer.id).toBe(dataOf(answer).customer.id);
  });

  it.each(["", "123", "1234567"])("is 400 for the code %j", async (otp_code) => {
    expect(await verify(phone, otp_code)).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "otp_code" } } },
    });
  });

  it("is 401 for a wrong, expired, redeemed or other contact's code, and sets no cookie", async () => {
    await request(phone);
    const refused = [await verify(phone, "000000"), await verify("+233201111111")];
    await verify(phone);
    ask = shopper(shop);
    refused.push(await verify(phone));
    await request(phone);
    passes(301 * second);
    refused.push(await verify(phone));
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
      expect(sessionCookieOf(answer)).toBeNull();
    }
  });

  it("accepts one code once when it is sent twice at once", async () => {
    await request(phone);
    const answers = await Promise.all([1, 2, 3, 4].map(() => verify(phone)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await customers()).toHaveLength(1);
  });

  it("accepts at most five guesses, however many come at once", async () => {
    const headers = { "CF-Connecting-IP": "203.0.113.90" };
    await request(phone, headers);
    const guesses = Array.from({ length: 12 }, (_, guess) => String(200_000 + guess));
    const answers = await Promise.all(guesses.map((guess) => verify(phone, guess, headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await verify(phone, testCode, headers)).toMatchObject({ status: 401 });
    expect(await customers()).toEqual([]);
  });
});

describe("POST /api/v1/auth/profile", () => {
  const profile = (body: object) => ask("POST", "/auth/profile", { body });

  it("requires a customer's session", async () => {
    for (const caller of [ask, shopper(shop, "__Host-session=forged")])
      expect(await caller("POST", "/auth/profile", { body: { name: "Ama" } })).toMatchObject({
        status: 401,
        body: { error: { code: "UNAUTHORIZED" } },
      });
  });

  it("changes the named fields and responds with the customer", async () => {
    await logIn(ask, phone);
    const answer = await profile({ name: "Ama", email: "Ama@Example.com" });
    expect(answer).toMatchObject({ status: 200 });
    expect(dataOf(answer)).toMatchObject({ name: "Ama", email: "ama@example.com", phone });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 1 });
  });

  it.each([
    [{}, "body"],
    [{ name: " " }, "name"],
    [{ email: "nobody" }, "email"],
    [{ phone: "12" }, "phone"],
  ])("is 400 for %j", async (body, field) => {
    await logIn(ask, phone);
    expect(await profile(body)).toMatchObject({
      status: 400,
      body: { error: { context: { field } } },
    });
  });

  it("is 409 for a contact that another customer has verified", async () => {
    await createLoggedInShopper(shop, "kofi@example.com");
    await logIn(ask, phone);
    expect(await profile({ email: "kofi@example.com" })).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", retryable: false } },
    });
  });

  it("lets a changed contact log in after it was verified while logged in", async () => {
    const { id } = dataOf(await logIn(ask, phone)).customer;
    await profile({ email: "ama@example.com" });
    const loadVerifiedAt = async () =>
      (await customers()).find((row) => row.id === id)?.email_verified_at;
    expect(await loadVerifiedAt()).toBeNull();
    expect(dataOf(await logIn(ask, "ama@example.com")).customer.id).toBe(id);
    expect(await loadVerifiedAt()).toBe(Date.now());
    expect(dataOf(await logIn(shopper(shop), "ama@example.com")).customer.id).toBe(id);
  });

  it("gives an unverified contact to the customer who verifies it", async () => {
    const { id } = dataOf(await logIn(ask, phone)).customer;
    await profile({ email: "ama@example.com" });
    const otherCustomer = dataOf(await logIn(shopper(shop), "ama@example.com")).customer;
    expect(otherCustomer.id).not.toBe(id);
  });
});
