import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { extendRateLimitTimeout } from "../support/rate-limit-timeout.ts";
import { createBusiness, roundTrips } from "../support/world.ts";
import {
  callLink,
  createLogin,
  dataOf,
  type LinkLogin,
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

const enrollAsOwner = (
  { contact, token }: Pick<LinkLogin, "contact" | "token">,
  { headers, ...fields }: { headers?: Record<string, string>; name?: string } = {},
) =>
  ask("POST", "/enroll", {
    body: { contact, ...fields },
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });

describe("POST /check-status", () => {
  it("returns without an envelope whether a contact has enrolled, at any business", async () => {
    const contact = uniquePhone();
    const before = await ask("POST", "/check-status", { body: { contact } });
    expect([before.status, before.body]).toEqual([200, { is_link_customer: false }]);
    expect(roundTrips(before).d1).toBeLessThanOrEqual(2);
    await enrollAsOwner(await createLogin(await createBusiness(), { contact }));
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

/** An address may make 20 calls a second, so the calls are spread over several seconds. */
async function callInBatches(count: number, send: () => Promise<{ status: number }>) {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 20) {
    vi.setSystemTime(Date.now() + 1_000);
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    statuses.push(...answers.map(({ status }) => status));
  }
  vi.setSystemTime(Date.now() + 1_000);
  return statuses;
}

describe("POST /enroll without the owner's session", () => {
  it("returns the same for a contact that has enrolled and one that nobody knows", async () => {
    const known = await createLogin(shop);
    await enrollAsOwner(known, { name: "Kofi" });
    const { token } = await createLogin(shop);
    for (const headers of [{}, { Authorization: `Bearer ${token}` }]) {
      const enroll = (contact: string) => ask("POST", "/enroll", { body: { contact }, headers });
      const answers = [await enroll(known.contact), await enroll(uniquePhone())];
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 200,
          body: {
            success: true,
            data: {
              account_id: expect.stringMatching(/^acc_/),
              customer_id: expect.stringMatching(/^cus_/),
              enrolled_at: expect.stringMatching(/Z$/),
              is_new: false,
            },
          },
        });
        expect(Date.now() - Date.parse(dataOf(answer).enrolled_at)).toBeLessThan(10_000);
      }
      expect(new Set(answers.map((answer) => roundTrips(answer).d1)).size).toBe(1);
    }
  });

  it("creates no account and enrols nobody before the owner's login", async () => {
    const contact = uniqueEmail();
    const { account_id, customer_id } = dataOf(await ask("POST", "/enroll", { body: { contact } }));
    expect(await checkStatus(contact)).toEqual({ is_link_customer: false });
    const { results } = await env.CORE.prepare("select id from link_accounts where id = ?")
      .bind(account_id)
      .all();
    expect(results).toEqual([]);
    const login = await createLogin(shop, { contact });
    expect([login.accountId, login.customerId]).toEqual([account_id, customer_id]);
    expect(await checkStatus(contact)).toEqual({ is_link_customer: true });
    expect((await login.ask("GET", "/preferences")).status).toBe(200);
  });

  it("is limited to 60 calls an hour per network address", async () => {
    vi.setSystemTime(Date.parse("2031-05-06T07:00:00Z")); // the start of an hour
    const { contact, token } = await createLogin(shop);
    const address = { "CF-Connecting-IP": uniqueNetworkAddress() };
    const enroll = (moreHeaders: Record<string, string> = {}) =>
      ask("POST", "/enroll", { body: { contact }, headers: { ...address, ...moreHeaders } });
    expect(await callInBatches(60, enroll)).toEqual(Array<number>(60).fill(200));
    vi.setSystemTime(Date.now() + 30 * 60_000);
    expect((await enroll()).status).toBe(429);
    const other = await createLogin(shop);
    expect((await enroll({ Authorization: `Bearer ${other.token}` })).status).toBe(429);
    expect((await enroll({ "CF-Connecting-IP": uniqueNetworkAddress() })).status).toBe(200);
    expect((await enroll({ Authorization: `Bearer ${token}` })).status).toBe(200);
  });
});

describe("POST /enroll-and-link-order without a session", () => {
  it("is limited to 60 calls an hour per network address, before the order is looked up", async () => {
    vi.setSystemTime(Date.parse("2031-05-06T09:00:00Z"));
    const headers = { "CF-Connecting-IP": uniqueNetworkAddress() };
    const body = { order_id: "ord_none", business_id: shop.business.id, bill_token: "bt_none" };
    const send = () => callLink("POST", "/enroll-and-link-order", { body, headers });
    expect(await callInBatches(60, send)).toEqual(Array<number>(60).fill(404));
    const refused = await send();
    expect(refused).toMatchObject({
      status: 429,
      body: refusalBody("RATE_LIMITED", { retryable: true }),
    });
    expect(roundTrips(refused).d1).toBe(0);
    const { ask: askAsOwner } = await createLogin(shop);
    expect((await askAsOwner("POST", "/enroll-and-link-order", { body, headers })).status).toBe(
      404,
    );
  });
});

describe("POST /enroll", () => {
  it("enrols the account of the session once; a repeated call returns the enrolment", async () => {
    const login = await createLogin(shop);
    const first = await enrollAsOwner(login, { name: "Ama" });
    expect(first).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          account_id: login.accountId,
          customer_id: login.customerId,
          enrolled_at: expect.stringMatching(/Z$/),
          is_new: true,
        },
      },
    });
    const again = await enrollAsOwner(login, { name: "Ama" });
    expect(dataOf(again)).toEqual({ ...dataOf(first), is_new: false });
  });

  it("returns is_new to one of several concurrent calls", async () => {
    const login = await createLogin(shop);
    const answers = await Promise.all(Array.from({ length: 6 }, () => enrollAsOwner(login)));
    expect(new Set(answers.map((answer) => dataOf(answer).account_id)).size).toBe(1);
    expect(answers.filter((answer) => dataOf(answer).is_new)).toHaveLength(1);
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

  it("lets only the owner rename an account", async () => {
    const { contact, ask: askAsOwner } = await createLogin(shop);
    const other = await createLogin(shop);
    await ask("POST", "/enroll", { body: { contact, name: "Other" } });
    await enrollAsOwner({ contact, token: other.token }, { name: "Other" });
    expect(dataOf(await askAsOwner("GET", "/data")).customer.name).toBeNull();
    expect((await askAsOwner("GET", "/preferences")).status).toBe(404);
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
