import { beforeAll, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant, operator } from "../support/world.ts";

let shop: CreatedBusiness;
let order: PlacedOrder;
let refunded: PlacedOrder;

beforeAll(async () => {
  shop = await createBusiness();
  const ask = merchant(shop);
  const tea = await createProduct(shop, { inventoryType: "tracked" });
  const [location] = shop.business.locations;
  await ask("PUT", `/inventory/${tea.id}/locations/${location?.id}`, {
    body: { quantity_on_hand: 20 },
  });
  order = await createOrder(shop, tea.id);
  refunded = await createOrder(shop, tea.id);
  await ask("POST", `/orders/${refunded.id}/refunds`, { body: { amount: "1" } });
  const cancelled = await createOrder(shop, tea.id, { payWith: "cash" });
  await ask("POST", `/orders/${cancelled.id}/cancel`, { body: {} });
});

const check = async (body: object = { business_id: shop.business.id }) => {
  const response = await operator("POST", "/v1/operator/books", { body });
  expect(response.status).toBe(200);
  return dataOf(response);
};

const checksOf = ({ findings }: { findings: readonly { check: string }[] }) =>
  findings.map((finding) => finding.check);

it("finds nothing in books that agree", async () => {
  expect(await check()).toEqual({ findings: [], next_cursor: null });
});

it("names what does not agree, the record, and both figures", async () => {
  await selectRows(
    shop,
    "update orders set subtotal_minor = subtotal_minor + 7, total_price_minor = total_price_minor + 7 where id = ?",
    order.id,
  );
  const { findings } = await check();
  expect(checksOf({ findings })).toEqual(["order_subtotal", "payment_amount"]);
  const found = findings[0];
  expect(found).toMatchObject({ business_id: shop.business.id, record: order.id });
  expect(Number(found.expected) - Number(found.found)).toBe(7);
  await selectRows(
    shop,
    "update orders set subtotal_minor = subtotal_minor - 7, total_price_minor = total_price_minor - 7 where id = ?",
    order.id,
  );
  expect((await check()).findings).toEqual([]);
});

/** A change of one row, the change back, and what the checks find in between. */
const corruptions = [
  ["order_total", "orders", "delivery_total_minor = delivery_total_minor {} 3", "id = ?"],
  [
    "order_payment",
    "orders",
    "payment_status = iif(payment_status = 'captured', 'pending', 'captured')",
    "id = ?",
  ],
  ["captured_charge", "sandbox_charges", "amount_minor = amount_minor {} 1", "order_id = ?"],
  [
    "order_event",
    "events",
    "type = iif(type = 'order.created', 'order.created.', 'order.created')",
    "subject_id = ? and type like 'order.created%'",
  ],
  ["reserved_stock", "stock_reservations", "quantity = quantity {} 1", "order_id = ?"],
  [
    "stock_level",
    "stock_levels",
    "quantity_on_hand = quantity_on_hand {} 1",
    "business_id = (select business_id from orders where id = ?)",
  ],
] as const;

it.each(corruptions)("finds a violation of %s", async (name, table, change, where) => {
  const apply = (sign: "+" | "-") =>
    selectRows(shop, `update ${table} set ${change.replace("{}", sign)} where ${where}`, order.id);
  await apply("+");
  const report = await check();
  await apply("-");
  expect(checksOf(report)).toContain(name);
  expect((await check()).findings).toEqual([]);
});
