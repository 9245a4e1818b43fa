import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness, merchant, roundTrips } from "../support/world.ts";
import {
  bearerCaller,
  callLink,
  createLiveCaller,
  createLogin,
  dataOf,
  homeAddress,
  type LinkLogin,
  refusalBody,
  uniquePhone,
} from "./create-logins.ts";

const wallet = { phone_number: "024 123 4567", provider: "telecel", label: "Mine" };

let shop: CreatedBusiness;
let product: Product;
let contact: string;
let sale: PlacedOrder;

beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop);
  contact = uniquePhone();
  sale = await createOrderFor(contact);
});

const createOrderFor = (phone: string): Promise<PlacedOrder> =>
  createOrder(shop, product.id, { payWith: "cash", fields: { customer: { phone } } });

const bodyFor = ({ id }: PlacedOrder, over: object = {}) => ({
  order_id: id,
  business_id: shop.business.id,
  address: homeAddress,
  mobile_money: wallet,
  order_type: "pickup",
  ...over,
});

const linkByToken = (over: object = {}) =>
  callLink("POST", "/enroll-and-link-order", {
    body: bodyFor(sale, { bill_token: sale.token, ...over }),
  });

const linkAsOwner = (login: LinkLogin, over: object = {}) =>
  login.ask("POST", "/enroll-and-link-order", { body: bodyFor(sale, over) });

const loadOrderCustomer = async ({ id }: PlacedOrder) =>
  (await selectRows(shop, "select customer_id from orders where id = ?", id))[0]?.customer_id;

const loadLinkedAccount = async ({ id }: PlacedOrder) =>
  (await selectRows(shop, "select account_id from link_orders where order_id = ?", id))[0]
    ?.account_id;

const loadIntents = async () =>
  (
    await env.CORE.prepare("select id from link_order_intents where business_id = ?")
      .bind(shop.business.id)
      .all()
  ).results;

/** Asserts that nothing was enrolled, saved or linked. */
async function expectNothingChanged(...logins: readonly LinkLogin[]) {
  expect(await loadLinkedAccount(sale)).toBeUndefined();
  expect(await loadOrderCustomer(sale)).toBeNull();
  expect(await loadIntents()).toEqual([]);
  for (const { ask } of logins) {
    expect(dataOf(await ask("GET", "/data"))).toMatchObject({ addresses: [], mobile_money: [] });
    expect((await ask("GET", "/preferences")).status).toBe(404);
  }
}

describe("POST /enroll-and-link-order by the owner of the order's contact", () => {
  it("enrols the account, saves the records and links the order", async () => {
    const login = await createLogin(shop, { contact });
    const answer = await linkAsOwner(login);
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
      addresses: [{ ...homeAddress, is_default: true }],
      mobile_money: [{ phone_number: "+233241234567", provider: "vod", is_default: true }],
      preferences: { preferred_order_type: "pickup" },
    });
    expect(await loadLinkedAccount(sale)).toBe(login.accountId);
    expect(await loadIntents()).toEqual([]);
  });

  it("assigns the order to the shop's customer and emits an event", async () => {
    await linkAsOwner(await createLogin(shop, { contact }));
    const { id } = await createCustomer(shop, phoneContact(contact));
    expect(await loadOrderCustomer(sale)).toBe(id);
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created", "order.updated"]);
  });

  it("keeps the customer of an order", async () => {
    const customer = await createCustomer(shop, phoneContact(contact));
    await linkAsOwner(await createLogin(shop, { contact }));
    expect(await loadOrderCustomer(sale)).toBe(customer.id);
    const other = await createOrderFor(contact);
    await createCustomer(shop, phoneContact(contact));
    expect(await loadOrderCustomer(other)).toBeNull();
  });

  it("takes a fixed number of round trips: the session, the order and three batches", async () => {
    const login = await createLogin(shop, { contact });
    const cold = await linkAsOwner(login);
    expect(roundTrips(cold)).toMatchObject({ d1: 6, do: 0 });
    sale = await createOrderFor(contact);
    expect(roundTrips(await linkAsOwner(login))).toMatchObject({ d1: 5, do: 0 });
  });

  it("saves nothing twice when repeated", async () => {
    const login = await createLogin(shop, { contact });
    const first = await linkAsOwner(login);
    const again = await linkAsOwner(login);
    expect(dataOf(again)).toEqual({ ...dataOf(first), is_new: false });
    expect(dataOf(await login.ask("GET", "/addresses"))).toHaveLength(1);
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created", "order.updated"]);
  });

  it("saves nothing twice with concurrent calls", async () => {
    const login = await createLogin(shop, { contact });
    const answers = await Promise.all(Array.from({ length: 6 }, () => linkAsOwner(login)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(6).fill(200));
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject({
      addresses: [homeAddress],
      mobile_money: [{ provider: "vod" }],
    });
    expect(await loadIntents()).toEqual([]);
  });

  it("returns the first response for a repeated Idempotency-Key", async () => {
    const { ask } = await createLogin(shop, { contact });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const send = () => ask("POST", "/enroll-and-link-order", { body: bodyFor(sale), headers });
    const first = await send();
    const again = await send();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it("accepts a call without saved records", async () => {
    const login = await createLogin(shop, { contact });
    const none = { address: undefined, mobile_money: undefined, order_type: undefined };
    expect((await linkAsOwner(login, none)).status).toBe(200);
    expect(dataOf(await login.ask("GET", "/data"))).toMatchObject({
      addresses: [],
      mobile_money: [],
    });
  });
});

describe("a linked order", () => {
  it("is exported with the customer's data and unlinked by their erasure", async () => {
    const customer = await createCustomer(shop, phoneContact(contact));
    const login = await createLogin(shop, { contact });
    await linkAsOwner(login);
    await createOrderFor(uniquePhone());
    const ask = merchant(shop);
    expect(dataOf(await ask("GET", `/customers/${customer.id}/data`)).linked_orders).toEqual([
      {
        order_id: sale.id,
        account_id: login.accountId,
        linked_at: expect.stringMatching(/Z$/),
      },
    ]);
    await ask("DELETE", `/customers/${customer.id}/data`);
    expect(await loadLinkedAccount(sale)).toBeUndefined();
  });
});

describe("POST /enroll-and-link-order by the holder of the bill_token", () => {
  it("links an order with any contact to the account of the session", async () => {
    const login = await createLogin(shop);
    const answer = await linkAsOwner(login, { bill_token: sale.token });
    expect(dataOf(answer).account_id).toBe(login.accountId);
    expect(await loadLinkedAccount(sale)).toBe(login.accountId);
  });
});

describe("POST /enroll-and-link-order", () => {
  it("rejects callers without the contact or the bill_token, and changes nothing", async () => {
    const other = await createLogin(shop);
    const answers = [
      await linkAsOwner(other),
      await linkAsOwner(other, { bill_token: "bt_wrong" }),
      await linkByToken({ bill_token: "bt_wrong" }),
      await linkByToken({ bill_token: undefined }),
      await linkByToken({ order_id: "ord_none" }),
      await linkByToken({ business_id: "biz_none" }),
      await linkByToken({ business_id: (await createBusiness()).business.id }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: refusalBody("NOT_FOUND") });
    }
    await expectNothingChanged(other);
  });

  it("rejects an invalid session token", async () => {
    const answer = await bearerCaller("lnk_outdated")("POST", "/enroll-and-link-order", {
      body: bodyFor(sale, { bill_token: sale.token }),
    });
    expect(answer).toMatchObject({ status: 401, body: refusalBody("UNAUTHORIZED") });
    await expectNothingChanged();
  });

  it("separates test and live mode", async () => {
    const ask = await createLiveCaller(contact);
    const body = bodyFor(sale, { bill_token: sale.token });
    expect((await ask("POST", "/enroll-and-link-order", { body })).status).toBe(404);
    await expectNothingChanged();
  });

  it("links an order to one account and rejects the next", async () => {
    const owner = await createLogin(shop, { contact });
    const holder = await createLogin(shop);
    await linkAsOwner(holder, { bill_token: sale.token });
    expect(await linkAsOwner(owner)).toMatchObject({ status: 409, body: refusalBody("CONFLICT") });
    expect(await loadLinkedAccount(sale)).toBe(holder.accountId);
    expect(dataOf(await owner.ask("GET", "/addresses"))).toEqual([]);
    expect((await owner.ask("GET", "/preferences")).status).toBe(404);
    expect(await loadIntents()).toEqual([]);
  });

  it("links an order to one of two concurrent accounts", async () => {
    const owner = await createLogin(shop, { contact });
    const holder = await createLogin(shop);
    const answers = await Promise.all([
      linkAsOwner(owner),
      linkAsOwner(holder, { bill_token: sale.token }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const savedCounts = [
      dataOf(await owner.ask("GET", "/addresses")).length,
      dataOf(await holder.ask("GET", "/addresses")).length,
    ];
    expect(savedCounts.sort()).toEqual([0, 1]);
    expect(await loadIntents()).toEqual([]);
  });

  it("rejects records above the limit, and changes nothing", async () => {
    const login = await createLogin(shop, { contact });
    const add = () => login.ask("POST", "/addresses", { body: homeAddress });
    await Promise.all(Array.from({ length: 50 }, add));
    expect(await linkAsOwner(login)).toMatchObject({
      status: 422,
      body: refusalBody("BUSINESS_RULE_VIOLATION", { context: { rule: "SAVED_LIMIT", limit: 50 } }),
    });
    expect(await loadLinkedAccount(sale)).toBeUndefined();
    expect(await loadIntents()).toEqual([]);
    expect((await linkAsOwner(login, { address: undefined })).status).toBe(200);
  });

  it.each([
    [{ order_id: undefined }, "order_id"],
    [{ business_id: undefined }, "business_id"],
    [{ address: { label: "Home" } }, "address.street_address"],
    [{ mobile_money: { ...wallet, provider: "unheard of" } }, "mobile_money.provider"],
    [{ order_type: "by balloon" }, "order_type"],
  ])("rejects %j and names the field", async (over, field) => {
    const answer = await linkByToken(over);
    expect(answer).toMatchObject({
      status: 400,
      body: refusalBody("VALIDATION_ERROR", { context: { field } }),
    });
    await expectNothingChanged();
  });
});
