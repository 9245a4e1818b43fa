import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { customerRepo, updateProfile } from "../../shared/customers/index.ts";
import { cancelOrder, orderRepo, ordersOfOwner } from "../../shared/orders/index.ts";
import { erasePersonalData } from "../../shared/personal-data/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { emailOf, givenCustomer, phoneOf } from "../support/customers.ts";
import { givenDeal } from "../support/deals.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { dataOf, givenSale, orderContextFor, type Sold } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { auditedActions } from "../support/traces.ts";
import { contextFor, givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;
let productId: string;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = merchant(shop);
  productId = (await givenProduct(shop)).id;
});

const phone = phoneOf("+233241234567");

const told = {
  customer: {
    name: "Ama Mensah",
    phone: "0241234567",
    email: "ama@example.com",
    notes: "The blue door",
  },
  address_info: { street_address: "7 Ring Road" },
  special_instructions: "Ring twice",
  metadata: { gift_for: "Kofi Annan" },
};

/** Every word by which somebody could tell who it was. */
/** As words: three letters of a drawn id may well be a name. */
const tells =
  /\b(?:Ama|Mensah|233241234567|ama@example|blue door|Ring Road|Ring twice|Kofi|too spicy)\b/i;

/** Everything that the shop's database holds of the business, but for its own settings. */
async function everythingKept(): Promise<string> {
  const tables = await rowsOf(
    shop,
    "select name from sqlite_master where type = 'table' and name not like '%_search_%' and name not like 'd1_%' and name not like '_cf_%'",
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const columns = await rowsOf(shop, `select name from pragma_table_info('${String(name)}')`);
      const key = ["business_id", "order_id"].find((wanted) =>
        columns.some((column) => column.name === wanted),
      );
      if (key === undefined) return [];
      const own = "(select ?1 union select id from orders where business_id = ?1)";
      return rowsOf(
        shop,
        `select * from "${String(name)}" where ${key} in ${own}`,
        shop.business.id,
      );
    }),
  );
  return JSON.stringify(rows);
}

const attach = ({ id }: Sold, customerId: string) =>
  rowsOf(shop, "update orders set customer_id = ? where id = ?", customerId, id);

const orderOf = async ({ id }: Sold) => dataOf(await ask("GET", `/orders/${id}`));

describe("GET /v1/businesses/{business_id}/customers/{customer_id}/data", () => {
  it("exports the customer, their orders with lines and payments, and a guest's with their contact", async () => {
    const { id } = await givenCustomer(shop, phone, { name: "Ama" });
    const deal = await givenDeal(shop, {});
    const attached = await givenSale(shop, productId, {
      how: "1",
      fields: { customer: { email: "other@example.com" } },
    });
    await attach(attached, id);
    const guests = await givenSale(shop, productId, { how: "cash", fields: told });
    await givenSale(shop, productId, {
      how: "cash",
      fields: { customer: { phone: "0209999999" } },
    });
    const answer = await ask("GET", `/customers/${id}/data`);
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toEqual({
      customer: dataOf(await ask("GET", `/customers/${id}`)),
      orders: [await orderOf(guests), await orderOf(attached)],
      bookings: [],
      mobile_money_numbers: [{ order_id: attached.id, phone_number: "+233241234561" }],
      deal_uses: expect.arrayContaining([
        { deal_id: deal.id, order_id: guests.id, redeemed_at: expect.stringMatching(/Z$/) },
      ]),
      subscriptions: [],
      uploads: [],
      linked_orders: [],
      support_conversations: [],
    });
    expect(dataOf(answer).orders).toMatchObject([
      { items: [{ product_id: productId }], payment: { method: "cash" } },
      { payment: { method: "mobile_money" } },
    ]);
  });

  it("gives nobody a guest's order whose contact was not verified", async () => {
    const { id } = await givenCustomer(shop, emailOf("kofi@example.com"), { phone: phone.value });
    await givenSale(shop, productId, { how: "cash", fields: told });
    expect(dataOf(await ask("GET", `/customers/${id}/data`))).toMatchObject({ orders: [] });
  });

  it("costs two round trips, however many orders there are", async () => {
    const { id } = await givenCustomer(shop, phone);
    const buyer = shopper(shop);
    for (const _ of [1, 2, 3]) await givenSale(shop, productId, { how: "cash", ask: buyer });
    await ask("GET", "/customers"); // from here on the key is known to the isolate
    const answer = await ask("GET", `/customers/${id}/data`);
    expect(dataOf(answer).orders).toHaveLength(3);
    expect(roundTrips(answer).d1).toBe(2);
  });
});

describe("the orders that are a customer's", () => {
  it("are looked up by the customer, and by the contact's term", async () => {
    const { sql, params } = new SQLiteSyncDialect().sqlToQuery(
      ordersOfOwner(contextFor(shop), { customerId: "cus_1", email: "a@b.co", phone: null }),
    );
    const plan = (
      await rowsOf(shop, `explain query plan select * from orders where id in ${sql}`, ...params)
    )
      .map(({ detail }) => String(detail))
      .filter((detail) => /^(SCAN|SEARCH)/.test(detail));
    expect(plan).toEqual([
      expect.stringMatching(/^SEARCH orders USING INDEX sqlite_autoindex_orders_1 \(id=\?\)/),
      expect.stringMatching(/^SEARCH attached USING .*INDEX orders_by_customer /),
      expect.stringMatching(
        /^SEARCH found USING .*INDEX sqlite_autoindex_order_terms_1 \(business_id=\? AND term=\?\)/,
      ),
      expect.stringMatching(/json_each/),
      expect.stringMatching(/^SEARCH guest USING INDEX sqlite_autoindex_orders_1 \(id=\?\)/),
    ]);
  });
});

describe("DELETE /v1/businesses/{business_id}/customers/{customer_id}/data", () => {
  it("leaves no word by which anybody could tell who it was", async () => {
    const { id } = await givenCustomer(shop, phone, {
      name: "Ama Mensah",
      email: "ama@example.com",
    });
    await givenDeal(shop, {});
    const buyer = shopper(shop);
    const sold = await givenSale(shop, productId, { how: "1", fields: told, ask: buyer });
    await rowsOf(
      shop,
      "update order_lines set special_instructions = 'not too spicy' where order_id = ?",
      sold.id,
    );
    await ask("POST", `/orders/${sold.id}/status`, { body: { status: "confirmed" } });
    await rowsOf(
      shop,
      `update audit_entries set before = '{"customerName":"Ama"}', after = '{"customerName":"Ama"}' where entity = ?`,
      sold.id,
    );
    expect(await everythingKept()).toMatch(tells);
    const answer = await ask("DELETE", `/customers/${id}/data`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: { id, name: null, email: null, phone: null, erased_at: expect.stringMatching(/Z$/) },
      },
    });
    expect(roundTrips(answer).d1).toBe(2);
    expect(await everythingKept()).not.toMatch(tells);
    for (const text of ["Ama", "0241234567", "ama@example.com"]) {
      const found = `?search=${encodeURIComponent(text)}`;
      expect(dataOf(await ask("GET", `/customers${found}`)).items).toEqual([]);
      expect(dataOf(await ask("GET", `/orders${found}`)).items).toEqual([]);
    }
  });

  it("blanks the words of refunds and receipts, which the export shows", async () => {
    const { id } = await givenCustomer(shop, phone);
    const refunded = await givenSale(shop, productId);
    const body = { reason: "Ama Mensah moved to Ring Road" };
    await shopper(shop)("POST", `/orders/${refunded.id}/cancel?token=${refunded.token}`, { body });
    const inCash = await givenSale(shop, productId, { how: "cash" });
    await ask("POST", `/orders/${inCash.id}/payments/mark-paid`, {
      body: { method: "cash", reference: "Handed over by Kofi" },
    });
    const exported = async () => dataOf(await ask("GET", `/customers/${id}/data`)).orders;
    expect(await exported()).toMatchObject([
      { payment: { receipt: { method: "cash", reference: "Handed over by Kofi" } } },
      { cancellation_reason: body.reason, payment: { refunds: [{ reason: body.reason }] } },
    ]);
    await ask("DELETE", `/customers/${id}/data`);
    expect(await exported()).toMatchObject([
      { payment: { receipt: { method: "cash", reference: null } } },
      { cancellation_reason: null, payment: { refunds: [{ reason: null, amount: "20.00" }] } },
    ]);
    expect(await everythingKept()).not.toMatch(tells);
  });

  it("is not undone by a change of an order that began before", async () => {
    const { id } = await givenCustomer(shop, phone);
    const sale = await givenSale(shop, productId, { fields: told });
    const sandbox = orderContextFor(shop).providerFor("mobile_money");
    if (!sandbox) throw new Error("There is no sandbox.");
    const ctx = orderContextFor(shop, {
      over: {
        async refund(request) {
          await erasePersonalData(contextFor(shop), id);
          return sandbox.refund(request);
        },
      },
    });
    const reason = "Ama Mensah moved to Ring Road";
    await cancelOrder(ctx, await orderRepo(ctx).get(sale.id), {
      reason,
      by: "customer",
      requestKey: null,
    });
    expect(await orderRepo(ctx).get(sale.id)).toMatchObject({
      order: { customerId: id, cancellationReason: null, paymentStatus: "refunded" },
      refunds: [{ reason: null, status: "refunded" }],
    });
    expect(await everythingKept()).not.toMatch(tells);
  });

  it("leaves an order its figures, and makes a guest's the customer's", async () => {
    const { id } = await givenCustomer(shop, phone);
    const sold = await givenSale(shop, productId, { how: "cash", fields: told });
    const before = await orderOf(sold);
    await ask("DELETE", `/customers/${id}/data`);
    expect(await orderOf(sold)).toEqual({
      ...before,
      customer_id: id,
      customer_name: null,
      customer_email: null,
      customer_phone: null,
      customer_notes: null,
      address_info: null,
      special_instructions: null,
      metadata: {},
    });
    expect(dataOf(await ask("GET", `/customers/${id}/data`)).orders).toHaveLength(1);
  });

  it("ends the customer's sessions, and leaves the contact to whoever verifies it next", async () => {
    const { id } = await givenCustomer(shop, phone);
    await ask("DELETE", `/customers/${id}/data`);
    expect(await customerRepo(contextFor(shop)).get(id)).toMatchObject({
      sessionsEndedAt: expect.any(Number),
    });
    expect((await givenCustomer(shop, phone)).id).not.toBe(id);
    expect(dataOf(await ask("GET", "/customers")).items).toHaveLength(1);
  });

  it("is written into the audit trail without the data, once however often it is asked", async () => {
    const { id } = await givenCustomer(shop, phone);
    const first = await ask("DELETE", `/customers/${id}/data`);
    const again = await Promise.all([1, 2].map(() => ask("DELETE", `/customers/${id}/data`)));
    expect(again.map(dataOf)).toEqual([dataOf(first), dataOf(first)]);
    expect(await auditedActions(shop)).toEqual(["product.created", "customer.erased"]);
    const [entry] = await rowsOf(shop, "select * from audit_entries where entity = ?", id);
    expect(entry).toMatchObject({ before: null, after: null });
  });

  it("is done once by many at once", async () => {
    const { id } = await givenCustomer(shop, phone);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => ask("DELETE", `/customers/${id}/data`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await auditedActions(shop)).toEqual(["product.created", "customer.erased"]);
  });

  it("takes what the customer changed in between along", async () => {
    const { id } = await givenCustomer(shop, phone);
    const ctx = contextFor(shop, { type: "merchant", keyId: "key_test" });
    let isFirst = true;
    const batch: typeof ctx.db.batch = async (statements) => {
      if (isFirst) await updateProfile(contextFor(shop), { customerId: id, name: "Ama Mensah" });
      isFirst = false;
      return ctx.db.batch(statements);
    };
    const late = { ...ctx, db: Object.assign(Object.create(ctx.db), { batch }) };
    await erasePersonalData(late, id);
    expect(await everythingKept()).not.toMatch(tells);
  });

  it("leaves another customer's and another business's data alone", async () => {
    const neighbour = await givenNeighbour(shop);
    const theirs = await givenCustomer(neighbour, phone, { name: "Ama" });
    const { id } = await givenCustomer(shop, phone);
    const other = await givenCustomer(shop, emailOf("kofi@example.com"), { name: "Kofi" });
    const sold = await givenSale(shop, productId, {
      how: "cash",
      fields: { customer: { email: "kofi@example.com", name: "Kofi" } },
    });
    await ask("DELETE", `/customers/${id}/data`);
    expect(await customerRepo(contextFor(neighbour)).get(theirs.id)).toEqual(theirs);
    expect(await customerRepo(contextFor(shop)).get(other.id)).toEqual(other);
    expect(await orderOf(sold)).toMatchObject({ customer_id: null, customer_name: "Kofi" });
  });
});
