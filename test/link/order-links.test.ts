import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenCustomer, phoneOf } from "../support/customers.ts";
import { givenSale, type Sold } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant, roundTrips } from "../support/world.ts";
import {
  bearer,
  dataOf,
  givenLiveLogin,
  givenLogin,
  home,
  type LoggedIn,
  link,
  refusal,
  somePhone,
  storefront,
} from "./given.ts";

const wallet = { phone_number: "024 123 4567", provider: "telecel", label: "Mine" };

let shop: CreatedBusiness;
let product: Product;
let contact: string;
let sale: Sold;

beforeEach(async () => {
  shop = await givenBusiness();
  product = await givenProduct(shop);
  contact = somePhone();
  sale = await givenSaleTo(contact);
});

const givenSaleTo = (phone: string): Promise<Sold> =>
  givenSale(shop, product.id, { how: "cash", fields: { customer: { phone } } });

const bodyFor = ({ id }: Sold, over: object = {}) => ({
  order_id: id,
  business_id: shop.business.id,
  address: home,
  mobile_money: wallet,
  order_type: "pickup",
  ...over,
});

const byToken = (over: object = {}) =>
  link("POST", "/enroll-and-link-order", {
    body: bodyFor(sale, { bill_token: sale.token, ...over }),
  });

const asOwner = (login: LoggedIn, over: object = {}) =>
  login.ask("POST", "/enroll-and-link-order", { body: bodyFor(sale, over) });

const customerOf = async ({ id }: Sold) =>
  (await rowsOf(shop, "select customer_id from orders where id = ?", id))[0]?.customer_id;

const accountLinked = async ({ id }: Sold) =>
  (await rowsOf(shop, "select account_id from link_orders where order_id = ?", id))[0]?.account_id;

const intents = async () =>
  (
    await env.CORE.prepare("select id from link_order_intents where business_id = ?")
      .bind(shop.business.id)
      .all()
  ).results;

/** Nothing was enrolled, saved or linked. */
async function expectUntouched(...logins: readonly LoggedIn[]) {
  expect(await accountLinked(sale)).toBeUndefined();
  expect(await customerOf(sale)).toBeNull();
  expect(await intents()).toEqual([]);
  for (const { ask } of logins) {
    expect(dataOf(await ask("GET", "/data"))).toMatchObject({ addresses: [], mobile_money: [] });
    expect((await ask("GET", "/preferences")).status).toBe(404);
  }
}

describe("POST /enroll-and-link-order by the owner of the order's contact", () => {
  it("enrols, keeps what came along, and makes the order theirs", async () => {
    const login = await givenLogin(shop, { contact });
    const answer = await asOwner(login);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        data: {
          account_id: login.accountId,
          customer_id: login.customerId,
          enrolled_at: expect.stringMatching(/Z$/),
          is_new: true,
          order_id: sale.id,
        },
      },
    ]);
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject({
      addresses: [{ ...home, is_default: true }],
      mobile_money: [{ phone_number: "+233241234567", provider: "vod", is_default: true }],
      preferences: { preferred_order_type: "pickup" },
    });
    expect(await accountLinked(sale)).toBe(login.accountId);
    expect(await intents()).toEqual([]);
  });

  it("makes the order that of the shop's customer, and tells who listens", async () => {
    await asOwner(await givenLogin(shop, { contact }));
    const { id } = await givenCustomer(shop, phoneOf(contact));
    expect(await customerOf(sale)).toBe(id);
    expect(await eventsOf(shop)).toEqual(["order.created", "order.updated"]);
  });

  it("leaves an order with the customer that it has", async () => {
    const customer = await givenCustomer(shop, phoneOf(contact));
    await asOwner(await givenLogin(shop, { contact }));
    expect(await customerOf(sale)).toBe(customer.id);
    const other = await givenSaleTo(contact);
    await givenCustomer(shop, phoneOf(contact));
    expect(await customerOf(other)).toBeNull();
  });

  it("costs a fixed number of round trips: the session, the order, and three that cannot share a batch", async () => {
    const login = await givenLogin(shop, { contact });
    const cold = await asOwner(login);
    expect(roundTrips(cold)).toMatchObject({ d1: 6, do: 0 });
    sale = await givenSaleTo(contact);
    expect(roundTrips(await asOwner(login))).toMatchObject({ d1: 5, do: 0 });
    sale = await givenSaleTo(contact);
    expect(roundTrips(await byToken())).toMatchObject({ d1: 4, do: 0 });
  });

  it("keeps nothing twice when it is repeated", async () => {
    const login = await givenLogin(shop, { contact });
    const first = await asOwner(login);
    const again = await asOwner(login);
    expect(dataOf(again)).toEqual({ ...dataOf(first), is_new: false });
    expect(dataOf(await login.ask("GET", "/addresses"))).toHaveLength(1);
    expect(await eventsOf(shop)).toEqual(["order.created", "order.updated"]);
  });

  it("keeps nothing twice when it comes many times at once", async () => {
    const login = await givenLogin(shop, { contact });
    const answers = await Promise.all(Array.from({ length: 6 }, () => asOwner(login)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(6).fill(200));
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject({
      addresses: [home],
      mobile_money: [{ provider: "vod" }],
    });
    expect(await intents()).toEqual([]);
  });

  it("answers a repeated Idempotency-Key with the first answer", async () => {
    const { ask } = await givenLogin(shop, { contact });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const send = () => ask("POST", "/enroll-and-link-order", { body: bodyFor(sale), headers });
    const first = await send();
    const again = await send();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it("does without an address, a mobile-money account and an order type", async () => {
    const login = await givenLogin(shop, { contact });
    const none = { address: undefined, mobile_money: undefined, order_type: undefined };
    expect((await asOwner(login, none)).status).toBe(200);
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject({
      addresses: [],
      mobile_money: [],
    });
  });
});

describe("an order that is a Link account's", () => {
  it("is told as such to the merchant who exports the customer's data, and as nobody's once they are erased", async () => {
    const customer = await givenCustomer(shop, phoneOf(contact));
    const login = await givenLogin(shop, { contact });
    await asOwner(login);
    await givenSaleTo(somePhone());
    const ask = merchant(shop);
    expect(dataOf(await ask("GET", `/customers/${customer.id}/data`)).linked_orders).toEqual([
      {
        order_id: sale.id,
        account_id: login.accountId,
        linked_at: expect.stringMatching(/Z$/),
      },
    ]);
    await ask("DELETE", `/customers/${customer.id}/data`);
    expect(await accountLinked(sale)).toBeUndefined();
  });
});

describe("POST /enroll-and-link-order by the holder of the bill_token", () => {
  it("enrols the order's contact, whose account shows nothing before its owner logs in", async () => {
    const answer = await byToken();
    expect(answer.status).toBe(200);
    const status = await storefront(shop)("POST", "/check-status", { body: { contact } });
    expect(status.body).toEqual({ is_link_customer: true });
    const login = await givenLogin(shop, { contact });
    expect(login.accountId).toBe(dataOf(answer).account_id);
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject({
      addresses: [{ ...home, is_default: true }],
      default_mobile_money: { provider: "vod" },
    });
  });

  it("makes no customer of a contact that nobody has proved", async () => {
    await byToken();
    expect(await customerOf(sale)).toBeNull();
    const { id } = await givenCustomer(shop, phoneOf(contact));
    const other = await givenSaleTo(contact);
    const body = bodyFor(other, { bill_token: other.token });
    await link("POST", "/enroll-and-link-order", { body });
    expect(await customerOf(other)).toBe(id);
  });

  it("puts nothing into a proved account that would be used unasked", async () => {
    const login = await givenLogin(shop, { contact });
    expect((await byToken()).status).toBe(200);
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject({
      addresses: [{ is_default: false }],
      default_address: null,
      default_mobile_money: null,
    });
  });

  it("links the order to the account that is logged in, whatever the order's contact", async () => {
    const login = await givenLogin(shop);
    const answer = await asOwner(login, { bill_token: sale.token });
    expect(dataOf(answer).account_id).toBe(login.accountId);
    expect(await accountLinked(sale)).toBe(login.accountId);
    expect(await customerOf(sale)).toBeNull();
  });
});

describe("POST /enroll-and-link-order", () => {
  it("refuses whoever has neither the contact nor the bill_token, and leaves no trace", async () => {
    const stranger = await givenLogin(shop);
    const answers = [
      await asOwner(stranger),
      await asOwner(stranger, { bill_token: "bt_wrong" }),
      await byToken({ bill_token: "bt_wrong" }),
      await byToken({ bill_token: undefined }),
      await byToken({ order_id: "ord_none" }),
      await byToken({ business_id: "biz_none" }),
      await byToken({ business_id: (await givenBusiness()).business.id }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: refusal("NOT_FOUND") });
    }
    await expectUntouched(stranger);
  });

  it("refuses a token that is over, whatever else was sent", async () => {
    const answer = await bearer("lnk_outdated")("POST", "/enroll-and-link-order", {
      body: bodyFor(sale, { bill_token: sale.token }),
    });
    expect(answer).toMatchObject({ status: 401, body: refusal("UNAUTHORIZED") });
    await expectUntouched();
  });

  it("does not let a contact of test mode open an order of live mode, nor the other way", async () => {
    const ask = await givenLiveLogin(contact);
    const body = bodyFor(sale, { bill_token: sale.token });
    expect((await ask("POST", "/enroll-and-link-order", { body })).status).toBe(404);
    await expectUntouched();
  });

  it("gives an order to one account, and refuses the next", async () => {
    const owner = await givenLogin(shop, { contact });
    const holder = await givenLogin(shop);
    await asOwner(holder, { bill_token: sale.token });
    expect(await asOwner(owner)).toMatchObject({ status: 409, body: refusal("CONFLICT") });
    expect(await accountLinked(sale)).toBe(holder.accountId);
    expect(dataOf(await owner.ask("GET", "/addresses"))).toEqual([]);
    expect((await owner.ask("GET", "/preferences")).status).toBe(404);
    expect(await intents()).toEqual([]);
  });

  it("gives an order to one of two accounts that come at once", async () => {
    const owner = await givenLogin(shop, { contact });
    const holder = await givenLogin(shop);
    const answers = await Promise.all([
      asOwner(owner),
      asOwner(holder, { bill_token: sale.token }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const kept = [
      dataOf(await owner.ask("GET", "/addresses")).length,
      dataOf(await holder.ask("GET", "/addresses")).length,
    ];
    expect(kept.sort()).toEqual([0, 1]);
    expect(await intents()).toEqual([]);
  });

  it("refuses what came along when there is no room for it, and does nothing else", async () => {
    const login = await givenLogin(shop, { contact });
    const add = () => login.ask("POST", "/addresses", { body: home });
    await Promise.all(Array.from({ length: 50 }, add));
    expect(await asOwner(login)).toMatchObject({
      status: 422,
      body: refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "SAVED_LIMIT", limit: 50 } }),
    });
    expect(await accountLinked(sale)).toBeUndefined();
    expect(await intents()).toEqual([]);
    expect((await asOwner(login, { address: undefined })).status).toBe(200);
  });

  it.each([
    [{ order_id: undefined }, "order_id"],
    [{ business_id: undefined }, "business_id"],
    [{ address: { label: "Home" } }, "address.street_address"],
    [{ mobile_money: { ...wallet, provider: "unheard of" } }, "mobile_money.provider"],
    [{ order_type: "by balloon" }, "order_type"],
  ])("refuses %j by the field's name", async (over, field) => {
    const answer = await byToken(over);
    expect(answer).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: { field } }),
    });
    await expectUntouched();
  });
});
