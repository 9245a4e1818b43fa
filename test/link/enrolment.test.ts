import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { patientLimiter } from "../support/patient-limiter.ts";
import { givenBusiness, roundTrips } from "../support/world.ts";
import {
  dataOf,
  givenLogin,
  link,
  refusal,
  someAddress,
  someEmail,
  somePhone,
  storefront,
} from "./given.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof storefront>;

patientLimiter();

beforeEach(async () => {
  shop = await givenBusiness();
  ask = storefront(shop);
});

const statusOf = async (contact: string) =>
  (await ask("POST", "/check-status", { body: { contact } })).body;

describe("POST /check-status", () => {
  it("tells flat whether a contact has enrolled, at any business", async () => {
    const contact = somePhone();
    const before = await ask("POST", "/check-status", { body: { contact } });
    expect([before.status, before.body]).toEqual([200, { is_link_customer: false }]);
    expect(roundTrips(before).d1).toBeLessThanOrEqual(2);
    await storefront(await givenBusiness())("POST", "/enroll", { body: { contact } });
    expect(await statusOf(contact)).toEqual({ is_link_customer: true });
  });

  it("does not take a login for an enrolment", async () => {
    const { contact } = await givenLogin(shop);
    expect(await statusOf(contact)).toEqual({ is_link_customer: false });
  });

  it("is asked 10 times a minute from one address, and then no more", async () => {
    const headers = { "CF-Connecting-IP": someAddress() };
    const statuses: number[] = [];
    for (let asked = 0; asked < 11; asked += 1) {
      const answer = await ask("POST", "/check-status", { body: { contact: "a@b.co" }, headers });
      statuses.push(answer.status);
      if (answer.status === 429) expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
      else expect(answer.headers.get("x-ratelimit-limit")).toBe("10");
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    expect(await statusOf("a@b.co")).toEqual({ is_link_customer: false });
  });
});

describe("POST /enroll", () => {
  it("enrols a contact once; a repeated call finds the enrolment", async () => {
    const body = { contact: someEmail(), name: "Ama" };
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

  it("tells an address of 60 strangers a minute, and no more; whoever is logged in asks on", async () => {
    vi.setSystemTime(Date.parse("2031-05-06T07:30:00Z")); // a minute begins
    const { contact, token } = await givenLogin(shop);
    const address = { "CF-Connecting-IP": someAddress() };
    const enrolled = async (more: Record<string, string> = {}) =>
      (await ask("POST", "/enroll", { body: { contact }, headers: { ...address, ...more } }))
        .status;
    for (let asked = 0; asked < 60; asked += 20) {
      vi.setSystemTime(Date.now() + 1_000); // 20 a second are an address's own limit
      const statuses = await Promise.all(Array.from({ length: 20 }, () => enrolled()));
      expect(statuses).toEqual(Array<number>(20).fill(200));
    }
    vi.setSystemTime(Date.now() + 1_000);
    expect(await enrolled()).toBe(429);
    expect(await enrolled({ "CF-Connecting-IP": someAddress() })).toBe(200);
    expect(await enrolled({ Authorization: `Bearer ${token}` })).toBe(200);
  });

  it("is new to one of many calls at once", async () => {
    const body = { contact: someEmail() };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ask("POST", "/enroll", { body })),
    );
    expect(new Set(answers.map((one) => dataOf(one).account_id)).size).toBe(1);
    expect(answers.filter((one) => dataOf(one).is_new)).toHaveLength(1);
  });

  it("keeps the account until its owner logs in, who finds the name", async () => {
    const contact = someEmail();
    const { account_id } = dataOf(await ask("POST", "/enroll", { body: { contact, name: "Ama" } }));
    const { accountId, ask: own } = await givenLogin(shop, { contact });
    expect(accountId).toBe(account_id);
    expect(dataOf(await own("GET", "/data")).customer).toMatchObject({
      name: "Ama",
      email: contact,
    });
    expect((await own("GET", "/preferences")).status).toBe(200);
  });

  it("binds to the account that is logged in with the contact", async () => {
    const { contact, token, accountId, ask: own } = await givenLogin(shop);
    expect((await own("GET", "/preferences")).status).toBe(404);
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await ask("POST", "/enroll", { body: { contact, name: "Kofi" }, headers });
    expect(dataOf(answer)).toMatchObject({ account_id: accountId, is_new: true });
    expect((await own("GET", "/preferences")).status).toBe(200);
    expect(dataOf(await own("GET", "/data")).customer.name).toBe("Kofi");
  });

  it("lets nobody but the owner rename a proved account", async () => {
    const { contact, ask: own } = await givenLogin(shop);
    const stranger = await givenLogin(shop);
    const headers = { Authorization: `Bearer ${stranger.token}` };
    await ask("POST", "/enroll", { body: { contact, name: "Thief" } });
    await ask("POST", "/enroll", { body: { contact, name: "Thief" }, headers });
    expect(dataOf(await own("GET", "/data")).customer.name).toBeNull();
  });

  it("refuses a token that is over, no key, and what is no contact", async () => {
    const body = { contact: somePhone() };
    const headers = { Authorization: "Bearer lnk_outdated" };
    expect((await ask("POST", "/enroll", { body, headers })).status).toBe(401);
    expect((await link("POST", "/enroll", { body })).status).toBe(401);
    expect(await ask("POST", "/enroll", { body: { contact: "nobody" } })).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR"),
    });
    expect(await statusOf(body.contact)).toEqual({ is_link_customer: false });
  });

  it("is another request with another shop's key, which may read the contact otherwise", async () => {
    const kenyan = await givenBusiness({ defaultCountry: "KE" });
    const body = { contact: "0712345678" };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const ghanaian = await storefront(shop)("POST", "/enroll", { body, headers });
    const answer = await storefront(kenyan)("POST", "/enroll", { body, headers });
    expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([200, null]);
    expect(dataOf(answer).account_id).not.toBe(dataOf(ghanaian).account_id);
  });

  it("answers a repeated Idempotency-Key with the first answer", async () => {
    const body = { contact: somePhone() };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await ask("POST", "/enroll", { body, headers });
    const again = await ask("POST", "/enroll", { body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await ask("POST", "/enroll", { body: { contact: somePhone() }, headers });
    expect(other).toMatchObject({ status: 409, body: refusal("CONFLICT") });
  });
});
