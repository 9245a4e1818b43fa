import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { customerRepo, updateProfile } from "../../shared/customers/index.ts";
import { cancelOrder, orderIdsOfCustomer, orderRepo } from "../../shared/orders/index.ts";
import {
  createCustomer,
  emailContact,
  eraseCustomer,
  phoneContact,
} from "../support/create-customer.ts";
import { createDeal } from "../support/create-deal.ts";
import { createOrder, createOrderContext, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  contextFor,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;
let productId: string;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
  productId = (await createProduct(shop)).id;
});

const phone = phoneContact("+233241234567");

const checkoutFields = {
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

/**
 * The words that identify the customer. Matches whole words, because a random id may contain "Ama".
 */
const personalWords =
  /\b(?:Ama|Mensah|233241234567|ama@example|blue door|Ring Road|Ring twice|Kofi|too spicy)\b/i;

/** All rows of the business in its shard, except its settings. */
async function loadAllRows(): Promise<string> {
  const tables = await selectRows(
    shop,
    "select name from sqlite_master where type = 'table' and name not like '%_search_%' and name not like 'd1_%' and name not like '_cf_%'",
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const columns = await selectRows(
        shop,
        `select name from pragma_table_info('${String(name)}')`,
      );
      const key = ["business_id", "order_id"].find((wanted) =>
        columns.some((column) => column.name === wanted),
      );
      if (key === undefined) return [];
      const own = "(select ?1 union select id from orders where business_id = ?1)";
      return selectRows(
        shop,
        `select * from "${String(name)}" where ${key} in ${own}`,
        shop.business.id,
      );
    }),
  );
  return JSON.stringify(rows);
}

const attachOrder = ({ id }: PlacedOrder, customerId: string) =>
  selectRows(shop, "update orders set customer_id = ? where id = ?", customerId, id);

const loadOrder = async ({ id }: PlacedOrder) => dataOf(await ask("GET", `/orders/${id}`));

describe("GET /v1/businesses/{business_id}/customers/{customer_id}/data", () => {
  it("exports the customer, their orders, and guest orders with their contact", async () => {
    const { id } = await createCustomer(shop, phone, { name: "Ama" });
    const deal = await createDeal(shop, {});
    const attached = await createOrder(shop, productId, {
      payWith: "1",
      fields: { customer: { email: "other@example.com" } },
    });
    await attachOrder(attached, id);
    const guests = await createOrder(shop, productId, { payWith: "cash", fields: checkoutFields });
    await createOrder(shop, productId, {
      payWith: "cash",
      fields: { customer: { phone: "0209999999" } },
    });
    const answer = await ask("GET", `/customers/${id}/data`);
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toEqual({
      customer: dataOf(await ask("GET", `/customers/${id}`)),
      orders: [await loadOrder(guests), await loadOrder(attached)],
      bookings: [],
      mobile_money_numbers: [{ order_id: attached.id, phone_number: "+233241234561" }],
      deal_uses: expect.arrayContaining([
        { deal_id: deal.id, order_id: guests.id, redeemed_at: expect.stringMatching(/Z$/) },
      ]),
      customer_groups: [],
      subscriptions: [],
      uploads: [],
      messages: expect.any(Array),
      notes: [],
      linked_orders: [],
      support_conversations: [],
    });
    expect(dataOf(answer).orders).toMatchObject([
      { items: [{ product_id: productId }], payment: { method: "cash" } },
      { payment: { method: "mobile_money" } },
    ]);
  });

  it("does not export a guest order with an unverified contact", async () => {
    const { id } = await createCustomer(shop, emailContact("kofi@example.com"), {
      phone: phone.value,
    });
    await createOrder(shop, productId, { payWith: "cash", fields: checkoutFields });
    expect(dataOf(await ask("GET", `/customers/${id}/data`))).toMatchObject({ orders: [] });
  });

  it("takes two round trips, however many orders there are", async () => {
    const { id } = await createCustomer(shop, phone);
    const buyer = shopper(shop);
    for (const _ of [1, 2, 3]) await createOrder(shop, productId, { payWith: "cash", ask: buyer });
    await ask("GET", "/customers"); // caches the key
    const answer = await ask("GET", `/customers/${id}/data`);
    expect(dataOf(answer).orders).toHaveLength(3);
    expect(roundTrips(answer).d1).toBe(2);
  });
});

describe("orderIdsOfCustomer", () => {
  it("searches by customer and by contact term", async () => {
    const { sql, params } = new SQLiteSyncDialect().sqlToQuery(
      orderIdsOfCustomer(contextFor(shop), { customerId: "cus_1", email: "a@b.co", phone: null }),
    );
    const plan = (
      await selectRows(
        shop,
        `explain query plan select * from orders where id in ${sql}`,
        ...params,
      )
    )
      .map(({ detail }) => String(detail))
      .filter((detail) => /^(SCAN|SEARCH)/.test(detail));
    expect(plan).toEqual([
      expect.stringMatching(/^SEARCH orders USING INDEX sqlite_autoindex_orders_1 \(id=\?\)/),
      expect.stringMatching(/^SEARCH attached USING .*INDEX orders_by_customer /),
      expect.stringMatching(
        /^SEARCH term USING .*INDEX sqlite_autoindex_order_terms_1 \(business_id=\? AND term=\?\)/,
      ),
      expect.stringMatching(/json_each/),
      expect.stringMatching(/^SEARCH guest USING INDEX sqlite_autoindex_orders_1 \(id=\?\)/),
    ]);
  });
});

describe("DELETE /v1/businesses/{business_id}/customers/{customer_id}/data", () => {
  it("leaves no personal data in any table", async () => {
    const { id } = await createCustomer(shop, phone, {
      name: "Ama Mensah",
      email: "ama@example.com",
    });
    await createDeal(shop, {});
    const buyer = shopper(shop);
    const sold = await createOrder(shop, productId, {
      payWith: "1",
      fields: checkoutFields,
      ask: buyer,
    });
    await selectRows(
      shop,
      "update order_lines set special_instructions = 'not too spicy' where order_id = ?",
      sold.id,
    );
    await ask("POST", `/orders/${sold.id}/status`, { body: { status: "confirmed" } });
    await selectRows(
      shop,
      `update audit_entries set before = '{"customerName":"Ama"}', after = '{"customerName":"Ama"}' where entity = ?`,
      sold.id,
    );
    expect(await loadAllRows()).toMatch(personalWords);
    const answer = await ask("DELETE", `/customers/${id}/data`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: { id, name: null, email: null, phone: null, erased_at: expect.stringMatching(/Z$/) },
      },
    });
    expect(roundTrips(answer).d1).toBe(2);
    expect(await loadAllRows()).not.toMatch(personalWords);
    for (const text of ["Ama", "0241234567", "ama@example.com"]) {
      const found = `?search=${encodeURIComponent(text)}`;
      expect(dataOf(await ask("GET", `/customers${found}`)).items).toEqual([]);
      expect(dataOf(await ask("GET", `/orders${found}`)).items).toEqual([]);
    }
  });

  it("erases the reasons of refunds and the references of receipts", async () => {
    const { id } = await createCustomer(shop, phone);
    const refunded = await createOrder(shop, productId);
    const body = { reason: "Ama Mensah moved to Ring Road" };
    await shopper(shop)("POST", `/orders/${refunded.id}/cancel?token=${refunded.token}`, { body });
    const inCash = await createOrder(shop, productId, { payWith: "cash" });
    await ask("POST", `/orders/${inCash.id}/payments/mark-paid`, {
      body: { method: "cash", reference: "Handed over by Kofi" },
    });
    const exportPersonalData = async () => dataOf(await ask("GET", `/customers/${id}/data`)).orders;
    expect(await exportPersonalData()).toMatchObject([
      { payment: { receipt: { method: "cash", reference: "Handed over by Kofi" } } },
      { cancellation_reason: body.reason, payment: { refunds: [{ reason: body.reason }] } },
    ]);
    await ask("DELETE", `/customers/${id}/data`);
    expect(await exportPersonalData()).toMatchObject([
      { payment: { receipt: { method: "cash", reference: null } } },
      { cancellation_reason: null, payment: { refunds: [{ reason: null, amount: "20.00" }] } },
    ]);
    expect(await loadAllRows()).not.toMatch(personalWords);
  });

  it("is not undone by an order change that started before", async () => {
    const { id } = await createCustomer(shop, phone);
    const sale = await createOrder(shop, productId, { fields: checkoutFields });
    const sandbox = createOrderContext(shop).providers.byName("sandbox");
    if (!sandbox) throw new Error("There is no sandbox.");
    const ctx = createOrderContext(shop, {
      provider: {
        async refund(request) {
          await eraseCustomer(shop, id);
          return sandbox.refund(request);
        },
      },
    });
    const reason = "Ama Mensah moved to Ring Road";
    await cancelOrder(ctx, await orderRepo(ctx).get(sale.id), {
      reason,
      initiator: "customer",
      requestKey: null,
    });
    expect(await orderRepo(ctx).get(sale.id)).toMatchObject({
      order: { customerId: id, cancellationReason: null, paymentStatus: "refunded" },
      refunds: [{ reason: null, status: "refunded" }],
    });
    expect(await loadAllRows()).not.toMatch(personalWords);
  });

  it("keeps order amounts and assigns guest orders to the customer", async () => {
    const { id } = await createCustomer(shop, phone);
    const sold = await createOrder(shop, productId, { payWith: "cash", fields: checkoutFields });
    const before = await loadOrder(sold);
    await ask("DELETE", `/customers/${id}/data`);
    expect(await loadOrder(sold)).toEqual({
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

  it("ends the customer's sessions and frees the contact", async () => {
    const { id } = await createCustomer(shop, phone);
    await ask("DELETE", `/customers/${id}/data`);
    expect(await customerRepo(contextFor(shop)).get(id)).toMatchObject({
      sessionsEndedAt: expect.any(Number),
    });
    expect((await createCustomer(shop, phone)).id).not.toBe(id);
    expect(dataOf(await ask("GET", "/customers")).items).toHaveLength(1);
  });

  it("forgets the networks from which the customer logged in", async () => {
    const logInWith = async (contact: string) => {
      const ask = shopper(shop);
      await ask("POST", "/auth/request-otp", { body: { contact } });
      const answer = await ask("POST", "/auth/verify-otp", {
        body: { contact, otp_code: "123456" },
      });
      return dataOf(answer).customer.id;
    };
    const id = await logInWith(phone.value);
    await logInWith("kofi@example.com");
    const listNetworks = async () =>
      (
        await selectRows(
          shop,
          "select redeemed_address_digest as network from one_time_codes where audience = ? order by id",
          shop.business.id,
        )
      ).map(({ network }) => network);
    expect(await listNetworks()).toEqual([expect.any(String), expect.any(String)]);
    await ask("DELETE", `/customers/${id}/data`);
    expect(await listNetworks()).toEqual([null, expect.any(String)]);
  });

  it("is audited once, without the data", async () => {
    const { id } = await createCustomer(shop, phone);
    const first = await ask("DELETE", `/customers/${id}/data`);
    const again = await Promise.all([1, 2].map(() => ask("DELETE", `/customers/${id}/data`)));
    expect(again.map(dataOf)).toEqual([dataOf(first), dataOf(first)]);
    expect(await listAuditActions(shop)).toEqual(["product.created", "customer.erased"]);
    const [entry] = await selectRows(shop, "select * from audit_entries where entity = ?", id);
    expect(entry).toMatchObject({ before: null, after: null });
  });

  it("happens once under concurrent requests", async () => {
    const { id } = await createCustomer(shop, phone);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => ask("DELETE", `/customers/${id}/data`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await listAuditActions(shop)).toEqual(["product.created", "customer.erased"]);
  });

  it("erases what the customer changed in the meantime", async () => {
    const { id } = await createCustomer(shop, phone);
    const ctx = contextFor(shop, { type: "merchant", id: "key_test" });
    let isFirst = true;
    const batch: typeof ctx.db.batch = async (statements) => {
      if (isFirst) await updateProfile(contextFor(shop), { customerId: id, name: "Ama Mensah" });
      isFirst = false;
      return ctx.db.batch(statements);
    };
    const late = Object.assign(Object.create(ctx.db), { batch });
    await eraseCustomer(shop, id, { db: late });
    expect(await loadAllRows()).not.toMatch(personalWords);
  });

  it("keeps the data of other customers and businesses", async () => {
    const neighbour = await createBusinessOnSameShard(shop);
    const theirs = await createCustomer(neighbour, phone, { name: "Ama" });
    const { id } = await createCustomer(shop, phone);
    const other = await createCustomer(shop, emailContact("kofi@example.com"), { name: "Kofi" });
    const sold = await createOrder(shop, productId, {
      payWith: "cash",
      fields: { customer: { email: "kofi@example.com", name: "Kofi" } },
    });
    await ask("DELETE", `/customers/${id}/data`);
    expect(await customerRepo(contextFor(neighbour)).get(theirs.id)).toEqual(theirs);
    expect(await customerRepo(contextFor(shop)).get(other.id)).toEqual(other);
    expect(await loadOrder(sold)).toMatchObject({ customer_id: null, customer_name: "Kofi" });
  });
});
