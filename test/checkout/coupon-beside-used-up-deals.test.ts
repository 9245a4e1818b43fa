import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { had } from "../bookings/given.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenDeal } from "../support/deals.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, shopper } from "../support/world.ts";
import { forget } from "./trip-shop.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

/** One piece at 3.99, sold to the same customer each time. */
async function bought(productId: string, coupon: string | null, before = () => {}) {
  await had(ask("POST", "/cart/items", { body: { item_id: productId } }));
  if (coupon !== null) await had(ask("POST", "/cart/coupons", { body: { coupon_code: coupon } }));
  const { id: cart_id } = await had(ask("GET", "/cart"));
  before();
  const customer = { email: "ama@example.com" };
  const body = { cart_id, customer, payment_method: "cash" };
  const { order_id, bill_token } = await had(ask("POST", "/checkout", { body }));
  const order = await had(ask("GET", `/orders/${order_id}?token=${bill_token}`));
  return { order, used: await usedBy(order_id) };
}

const usedBy = async (orderId: string) => {
  const rows = await rowsOf(
    shop,
    "select deal_id from deal_redemptions where business_id = ? and order_id = ?",
    shop.business.id,
    orderId,
  );
  return rows.map(({ deal_id }) => deal_id);
};

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
});

describe.each([1, 2])("a coupon beside %i used-up deals that covered the whole line", (deals) => {
  it.each([
    { name: "remembered", before: () => {} },
    { name: "forgotten", before: forget },
  ])("counts on the whole price, the catalogue $name", async ({ before }) => {
    const { id } = await givenProduct(shop, { defaultPriceMinor: 399 });
    const fiveOff = { discountType: "fixed_amount", value: "5.00", perCustomerLimit: 1 } as const;
    for (let deal = 0; deal < deals; deal += 1) await givenDeal(shop, fiveOff);
    const coupon = await givenDeal(shop, { code: "SPRING", value: "5.5" });
    for (let deal = 0; deal < deals; deal += 1)
      expect((await bought(id, null)).order.total_price).toBe("0.00");

    const { order, used } = await bought(id, "SPRING", before);

    expect(order).toMatchObject({ discount_total: "0.22", total_price: "3.77" });
    expect(used).toEqual([coupon.id]);
  });
});

it("is refused by its name when it is used up as well, though nobody came between", async () => {
  const { id } = await givenProduct(shop, { defaultPriceMinor: 399 });
  await givenDeal(shop, { discountType: "fixed_amount", value: "5.00", perCustomerLimit: 1 });
  await givenDeal(shop, { code: "SPRING", value: "5.5", perCustomerLimit: 1 });
  await bought(id, null); // has the five off
  await bought(id, "SPRING"); // has the coupon
  await had(ask("POST", "/cart/items", { body: { item_id: id } }));
  await had(ask("POST", "/cart/coupons", { body: { coupon_code: "SPRING" } }));
  const { id: cart_id } = await had(ask("GET", "/cart"));
  const customer = { email: "ama@example.com" };
  const body = { cart_id, customer, payment_method: "cash" };
  expect(await ask("POST", "/checkout", { body })).toMatchObject({
    status: 422,
    body: { error: { context: { rule: "COUPON_EXHAUSTED" } } },
  });
});
