import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { extendRateLimitTimeout } from "../support/rate-limit-timeout.ts";
import { createBusiness, roundTrips } from "../support/world.ts";
import {
  callLink,
  createLogin,
  dataOf,
  refusalBody,
  storefrontCaller,
  uniqueEmail,
  uniqueNetworkAddress,
  uniquePhone,
} from "./create-logins.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof storefrontCaller>;

extendRateLimitTimeout();

beforeEach(async () => {
  shop = await createBusiness();
  ask = storefrontCaller(shop);
});

const checkStatus = async (contact: string) =>
  (await ask("POST", "/check-status", { body: { contact } })).body;

describe("POST /check-status", () => {
  it("returns without an envelope whether a contact has enrolled, at any business", async () => {
    const contact = uniquePhone();
    const before = await ask("POST", "/check-status", { body: { contact } });
    expect([before.status, before.body]).toEqual([200, { is_link_customer: false }]);
    expect(roundTrips(before).d1).toBeLessThanOrEqual(2);
    await storefrontCaller(await createBusiness())("POST", "/enroll", { body: { contact } });
    expect(await checkStatus(contact)).toEqual({ is_link_customer: true });
  });

  it("returns false for a contact that only logged in", async () => {
    const { contact } = await createLogin(shop);
    expect(await checkStatus(contact)).toEqual({ is_link_customer: false });
  });

  it("is limited to 10 calls a minute per network address", async () => {
    const headers = { "CF-Connecting-IP": uniqueNetworkAddress() };
    const statuses: number[] = [];
    for (let sent = 0; sent < 11; sent += 1) {
      const answer = await ask("POST", "/check-status", { body: { contact: "a@b.co" }, headers });
      statuses.push(answer.status);
      if (answer.status === 429) expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
      else expect(answer.headers.get("x-ratelimit-limit")).toBe("10");
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    expect(await checkStatus("a@b.co")).toEqual({ is_link_customer: false });
  });
});

describe("POST /enroll", () => {
  it("enrols a contact once; a repeated call returns the enrolment", async () => {
    const body = { contact: uniqueEmail(), name: "Ama" };
    const first = await ask("POST", "/enroll", { body });
    expect(first).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          account_id: expect.stringMatching(/^acc_/),
          customer_id: expect.stringMatching(/^cus_/),
          enrolled_at: expect.stringMatching(/Z$/),
          is_new: true,
        },
      },
    });
    expect(roundTrips(first).d1).toBeLessThanOrEqual(2);
    const again = await ask("POST", "/enroll", { body });
    expect(dataOf(again)).toEqual({ ...dataOf(first), is_new: false });
  });

  it("is limited to 60 calls a minute per network address without a session", async () => {
    vi.setSystemTime(Date.parse("2031-05-06T07:30:00Z")); // the start of a minute
    const { contact, token } = await createLogin(shop);
    const address = { "CF-Connecting-IP": uniqueNetworkAddress() };
    const enroll = async (moreHeaders: Record<string, string> = {}) =>
      (await ask("POST", "/enroll", { body: { contact }, headers: { ...address, ...moreHeaders } }))
        .status;
    for (let calls = 0; calls < 60; calls += 20) {
      vi.setSystemTime(Date.now() + 1_000); // an address may make 20 calls a second
      const statuses = await Promise.all(Array.from({ length: 20 }, () => enroll()));
      expect(statuses).toEqual(Array<number>(20).fill(200));
    }
    vi.setSystemTime(Date.now() + 1_000);
    expect(await enroll()).toBe(429);
    expect(await enroll({ "CF-Connecting-IP": uniqueNetworkAddress() })).toBe(200);
    expect(await enroll({ Authorization: `Bearer ${token}` })).toBe(200);
  });

  it("returns is_new to one of several concurrent calls", async () => {
    const body = { contact: uniqueEmail() };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ask("POST", "/enroll", { body })),
    );
    expect(new Set(answers.map((answer) => dataOf(answer).account_id)).size).toBe(1);
    expect(answers.filter((answer) => dataOf(answer).is_new)).toHaveLength(1);
  });

  it("keeps the account and its name until the owner logs in", async () => {
    const contact = uniqueEmail();
    const { account_id } = dataOf(await ask("POST", "/enroll", { body: { contact, name: "Ama" } }));
    const { accountId, ask: askAsOwner } = await createLogin(shop, { contact });
    expect(accountId).toBe(account_id);
    expect(dataOf(await askAsOwner("GET", "/data")).customer).toMatchObject({
      name: "Ama",
      email: contact,
    });
    expect((await askAsOwner("GET", "/preferences")).status).toBe(200);
  });

  it("enrols the account of the session with the contact", async () => {
    const { contact, token, accountId, ask: askAsOwner } = await createLogin(shop);
    expect((await askAsOwner("GET", "/preferences")).status).toBe(404);
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await ask("POST", "/enroll", { body: { contact, name: "Kofi" }, headers });
    expect(dataOf(answer)).toMatchObject({ account_id: accountId, is_new: true });
    expect((await askAsOwner("GET", "/preferences")).status).toBe(200);
    expect(dataOf(await askAsOwner("GET", "/data")).customer.name).toBe("Kofi");
  });

  it("lets only the owner rename a verified account", async () => {
    const { contact, ask: askAsOwner } = await createLogin(shop);
    const other = await createLogin(shop);
    const headers = { Authorization: `Bearer ${other.token}` };
    await ask("POST", "/enroll", { body: { contact, name: "Other" } });
    await ask("POST", "/enroll", { body: { contact, name: "Other" }, headers });
    expect(dataOf(await askAsOwner("GET", "/data")).customer.name).toBeNull();
  });

  it("rejects an invalid token, a missing key and an invalid contact", async () => {
    const body = { contact: uniquePhone() };
    const headers = { Authorization: "Bearer lnk_outdated" };
    expect((await ask("POST", "/enroll", { body, headers })).status).toBe(401);
    expect((await callLink("POST", "/enroll", { body })).status).toBe(401);
    expect(await ask("POST", "/enroll", { body: { contact: "nobody" } })).toMatchObject({
      status: 400,
      body: refusalBody("VALIDATION_ERROR"),
    });
    expect(await checkStatus(body.contact)).toEqual({ is_link_customer: false });
  });

  it("separates Idempotency-Keys by the business's key, because the country may differ", async () => {
    const kenyan = await createBusiness({ defaultCountry: "KE" });
    const body = { contact: "0712345678" };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const ghanaian = await storefrontCaller(shop)("POST", "/enroll", { body, headers });
    const answer = await storefrontCaller(kenyan)("POST", "/enroll", { body, headers });
    expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([200, null]);
    expect(dataOf(answer).account_id).not.toBe(dataOf(ghanaian).account_id);
  });

  it("returns the first response for a repeated Idempotency-Key", async () => {
    const body = { contact: uniquePhone() };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await ask("POST", "/enroll", { body, headers });
    const again = await ask("POST", "/enroll", { body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await ask("POST", "/enroll", { body: { contact: uniquePhone() }, headers });
    expect(other).toMatchObject({ status: 409, body: refusalBody("CONFLICT") });
  });
});
