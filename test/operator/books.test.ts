import { beforeAll, expect, it } from "vitest";
import { checkPage, firstPosition } from "../../shared/books/check-page-query.ts";
import {
  at,
  type BookingShop,
  createBooking,
  createBookingShop,
  createService,
} from "../bookings/create-booking.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, dataOf, merchant, operator } from "../support/world.ts";

let shop: BookingShop;
let tea: Awaited<ReturnType<typeof createProduct>>;
let order: PlacedOrder;

beforeAll(async () => {
  shop = await createBookingShop();
  const ask = merchant(shop);
  tea = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, tea, 50);
  order = await createOrder(shop, tea.id);
  await ask("POST", `/orders/${order.id}/refunds`, { body: { amount: "1" } });
  const cancelled = await createOrder(shop, tea.id, { payWith: "cash" });
  await ask("POST", `/orders/${cancelled.id}/cancel`, { body: {} });
  const completed = await createOrder(shop, tea.id);
  await ask("POST", `/orders/${completed.id}/status`, { body: { status: "completed" } });
  const service = await createService(shop);
  await createBooking(shop, service);
  const { orderId } = await createBooking(shop, service, { when: at(11) });
  await ask("POST", `/orders/${orderId}/cancel`, { body: {} });
});

const post = (body: object) => operator("POST", "/v1/operator/books", { body });

const check = async (body: object = { business_id: shop.business.id }) => {
  const response = await post(body);
  expect(response.status).toBe(200);
  return dataOf(response);
};

it("finds nothing in books that agree, also while shoppers buy", async () => {
  const orders = Array.from({ length: 4 }, () => createOrder(shop, tea.id, { quantity: 1 }));
  const during = await Promise.all([check(), check(), ...orders]);
  for (const report of [during[0], during[1], await check()])
    expect(report).toEqual({ findings: [], next_cursor: null });
});

/** A change of the order's rows, the change back, and the checks that find it. */
const ofOrder = "where order_id = ?1";
const corruptions: readonly (readonly [string[], string, string])[] = [
  [
    ["order_subtotal", "order_total"],
    "update orders set subtotal_minor = subtotal_minor + 7 where id = ?1",
    "update orders set subtotal_minor = subtotal_minor - 7 where id = ?1",
  ],
  [
    ["order_payment"],
    "update orders set payment_status = 'pending' where id = ?1",
    "update orders set payment_status = 'partially_refunded' where id = ?1",
  ],
  [
    ["payment_amount", "captured_charge"],
    `update payments set amount_minor = amount_minor + 1 ${ofOrder}`,
    `update payments set amount_minor = amount_minor - 1 ${ofOrder}`,
  ],
  [
    ["charged_once"],
    `insert into sandbox_charges (reference, order_id, amount_minor, currency, status, created_at)
      select reference || '-', order_id, amount_minor, currency, 'captured', 0
      from sandbox_charges ${ofOrder}`,
    `delete from sandbox_charges ${ofOrder} and reference like '%-'`,
  ],
  [
    ["refunds"],
    `update refunds set status = 'failed' ${ofOrder}`,
    `update refunds set status = 'refunded' ${ofOrder}`,
  ],
  [
    ["order_event", "event_order"],
    "update events set subject_id = 'ord_0' where subject_id = ?1 and type = 'order.created'",
    "update events set subject_id = ?1 where subject_id = 'ord_0'",
  ],
  [
    ["reserved_stock"],
    `update stock_reservations set quantity = quantity + 1 ${ofOrder}`,
    `update stock_reservations set quantity = quantity - 1 ${ofOrder}`,
  ],
  [
    ["stock_level"],
    "update stock_levels set quantity_on_hand = quantity_on_hand + 1 where item_id = ?2",
    "update stock_levels set quantity_on_hand = quantity_on_hand - 1 where item_id = ?2",
  ],
  [
    ["occupied_ranges"],
    "update occupied_ranges set participants = participants + 1 where business_id = ?3",
    "update occupied_ranges set participants = participants - 1 where business_id = ?3",
  ],
  [
    ["occupied_ranges"],
    "update occupied_ranges set starts_at = starts_at + 1 where business_id = ?3",
    "update occupied_ranges set starts_at = starts_at - 1 where business_id = ?3",
  ],
  [
    ["booked_slot"],
    "update bookings set start_time = start_time - 1 where business_id = ?3",
    "update bookings set start_time = start_time + 1 where business_id = ?3",
  ],
];

it.each(corruptions)("finds a violation of %s", async (names, corrupt, mend) => {
  const run = async (text: string) => {
    const values = [order.id, tea.id, shop.business.id].map((value, index) => [index + 1, value]);
    const used = values.filter(([place]) => text.includes(`?${place}`));
    const renamed = used.reduce(
      (sql, [place], index) => sql.replaceAll(`?${place}`, `?${index + 1}`),
      text,
    );
    await selectRows(shop, renamed, ...used.map(([, value]) => value));
  };
  await run(corrupt);
  const { findings } = await check();
  await run(mend);
  expect(findings.map((one: { check: string }) => one.check).toSorted()).toEqual(names.toSorted());
  expect(findings[0]).toMatchObject({
    business_id: shop.business.id,
    record: expect.any(String),
    expected: expect.any(String),
  });
  expect((await check()).findings).toEqual([]);
});

it("checks all businesses of a shard in pages", async () => {
  const { business } = await createBusiness();
  const rows = JSON.stringify(Array.from({ length: 201 }, (_, index) => index));
  await selectRows(
    { business },
    `insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, updated_at)
      select ?, 'item_' || value, 'loc', 'prod', 5, 0 from json_each(?)`,
    business.id,
    rows,
  );
  const found: { record: string }[] = [];
  let calls = 0;
  for (let cursor: string | null = null; calls === 0 || cursor !== null; calls += 1) {
    const page = await check({ shard: business.shard, ...(cursor !== null && { cursor }) });
    found.push(...page.findings);
    cursor = page.next_cursor;
    if (cursor !== null)
      expect((await post({ business_id: shop.business.id, cursor })).status).toBe(400);
  }
  expect(calls).toBeGreaterThan(1);
  expect(new Set(found.map(({ record }) => record)).size).toBe(201);
  expect(found).toHaveLength(201);
});

it("reads the ranges of services only when no page before them is full", async () => {
  const { id } = shop.business;
  const numbers = JSON.stringify(Array.from({ length: 3_000 }, (_, index) => index));
  await selectRows(
    shop,
    `insert into occupied_ranges
      select business_id, services.id, 'loc', value, value + 1, 0, 1 from services, json_each(?)
      where business_id = ?`,
    ...[numbers, id],
  );
  const scope = { businessId: id, now: Date.now() };
  const readFirstPage = async () => {
    const { db } = contextFor(shop);
    return measureD1Usage(() => checkPage(db, scope, firstPosition));
  };
  expect((await readFirstPage()).rowsRead).toBeGreaterThan(3_000);
  await selectRows(
    shop,
    `insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, updated_at)
      select ?, 'item_' || value, 'loc', 'prod', 0, 0 from json_each(?) where value < 200`,
    ...[id, numbers],
  );
  expect((await readFirstPage()).rowsRead).toBeLessThan(3_000);
  await selectRows(shop, "delete from stock_levels where product_id = 'prod'");
  await selectRows(shop, "delete from occupied_ranges where location_id = 'loc'");
});

it("refuses what names no business and no shard", async () => {
  const statuses = await Promise.all(
    [
      { business_id: "biz_unknown" },
      { shard: "SHOP_9" },
      {},
      { business_id: shop.business.id, shard: "SHOP_1" },
      { shard: "SHOP_1", cursor: "bm9uZQ==" },
    ].map(async (body) => (await post(body)).status),
  );
  expect(statuses).toEqual([404, 400, 400, 400, 400]);
});
