import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { requireData } from "../bookings/create-booking.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, shopper } from "../support/world.ts";
import { expireCaches } from "./create-tea-shop.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

/** Buys one unit at 3.99 as the same customer. */
async function buyOne(productId: string, coupon: string | null, before = () => {}) {
  await requireData(ask("POST", "/cart/items", { body: { item_id: productId } }));
  if (coupon !== null)
    await requireData(ask("POST", "/cart/coupons", { body: { coupon_code: coupon } }));
  const { id: cart_id } = await requireData(ask("GET", "/cart"));
  before();
  const customer = { email: "ama@example.com" };
  const body = { cart_id, customer, payment_method: "cash" };
  const { order_id, bill_token } = await requireData(ask("POST", "/checkout", { body }));
  const order = await requireData(ask("GET", `/orders/${order_id}?token=${bill_token}`));
  return { order, used: await listUsedDeals(order_id) };
}

const listUsedDeals = async (orderId: string) => {
  const rows = await selectRows(
    shop,
    "select deal_id from deal_redemptions where business_id = ? and order_id = ?",
    shop.business.id,
    orderId,
  );
  return rows.map(({ deal_id }) => deal_id);
};

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

describe.each([1, 2])("a coupon and %i used-up deals that covered the whole line", (deals) => {
  it.each([
    { name: "cached", before: () => {} },
    { name: "not cached", before: expireCaches },
  ])("takes its discount off the full price with a catalogue that is $name", async ({ before }) => {
    const { id } = await createProduct(shop, { defaultPriceMinor: 399 });
    const fiveOff = { discountType: "fixed_amount", value: "5.00", perCustomerLimit: 1 } as const;
    for (let deal = 0; deal < deals; deal += 1) await createDeal(shop, fiveOff);
    const coupon = await createDeal(shop, { code: "SPRING", value: "5.5" });
    for (let deal = 0; deal < deals; deal += 1)
      expect((await buyOne(id, null)).order.total_price).toBe("0.00");

    const { order, used } = await buyOne(id, "SPRING", before);

    expect(order).toMatchObject({ discount_total: "0.22", total_price: "3.77" });
    expect(used).toEqual([coupon.id]);
  });
});

it("rejects a coupon that the customer has used up as well", async () => {
  const { id } = await createProduct(shop, { defaultPriceMinor: 399 });
  await createDeal(shop, { discountType: "fixed_amount", value: "5.00", perCustomerLimit: 1 });
  await createDeal(shop, { code: "SPRING", value: "5.5", perCustomerLimit: 1 });
  await buyOne(id, null); // has the five off
  await buyOne(id, "SPRING"); // has the coupon
  await requireData(ask("POST", "/cart/items", { body: { item_id: id } }));
  await requireData(ask("POST", "/cart/coupons", { body: { coupon_code: "SPRING" } }));
  const { id: cart_id } = await requireData(ask("GET", "/cart"));
  const customer = { email: "ama@example.com" };
  const body = { cart_id, customer, payment_method: "cash" };
  expect(await ask("POST", "/checkout", { body })).toMatchObject({
    status: 422,
    body: { error: { context: { rule: "COUPON_EXHAUSTED" } } },
  });
});
