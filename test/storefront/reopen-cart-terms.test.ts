import { beforeEach, describe, expect, it, vi } from "vitest";
import { createService, everyDay, openLocation } from "../scheduling/create-service.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { type ApiClient, dataOf, merchant, roundTrips, shopper } from "../support/world.ts";
import { bookableDate, createScheduledShop, instantText } from "./scheduled-shop.ts";

const { shop } = createScheduledShop();
let ask: ApiClient;

beforeEach(() => {
  ask = shopper(shop());
});

/** Orders the cart in cash; returns the order's id and token. */
async function orderCart(): Promise<{ id: string; token: string }> {
  const { id } = dataOf(await ask("GET", "/cart"));
  const { order_id, bill_token } = dataOf(
    await ask("POST", "/checkout", {
      body: { cart_id: id, customer: { phone: "0241234567" }, payment_method: "cash" },
    }),
  );
  return { id: order_id, token: bill_token };
}

const reopen = (id: string) => ask("POST", `/orders/${id}/reopen-cart`);

describe("the coupon of an order whose cart is reopened", () => {
  async function orderWithCoupon() {
    const product = await createProduct(shop(), { defaultPriceMinor: 2_500 });
    const deal = await createDeal(shop(), { code: "TEN", usageLimit: 1 });
    await ask("POST", "/cart/items", { body: { item_id: product.id } });
    await ask("POST", "/cart/coupons", { body: { coupon_code: "TEN" } });
    return { deal, product, order: await orderCart() };
  }

  it("comes back, also when the order had its last use, and can be ordered with", async () => {
    const { order } = await orderWithCoupon();
    vi.setSystemTime(Date.now() + 6_000);
    const cart = dataOf(await reopen(order.id));
    expect(cart).toMatchObject({ pricing: { discounts: [{ code: "TEN", amount: "2.50" }] } });
    vi.setSystemTime(Date.now() + 6_000);
    const again = await orderCart();
    expect(dataOf(await ask("GET", `/orders/${again.id}?token=${again.token}`))).toMatchObject({
      discounts: [{ code: "TEN", amount: "2.50" }],
    });
  });

  it("stays away when it no longer applies", async () => {
    const { deal, order } = await orderWithCoupon();
    await merchant(shop())("PATCH", `/deals/${deal.id}`, { body: { is_active: false } });
    vi.setSystemTime(Date.now() + 6_000);
    expect(dataOf(await reopen(order.id))).toMatchObject({ pricing: { total_price: "25.00" } });
  });
});

describe("the slot of an order whose cart is reopened", () => {
  async function orderSlot() {
    const serviceId = await createService(shop());
    const service = dataOf(await merchant(shop())("GET", `/services/${serviceId}`));
    const item = {
      item_id: service.product_id,
      scheduled_start: instantText(bookableDate, "09:00"),
    };
    const added = await ask("POST", "/cart/items", { body: item });
    expect(added.status).toBe(200);
    return { item, order: await orderCart() };
  }

  it("is held for the cart, and can be ordered again", async () => {
    const { item, order } = await orderSlot();
    const reopened = await reopen(order.id);
    expect(dataOf(reopened)).toMatchObject({ item_count: 1 });
    expect(roundTrips(reopened).d1).toBeLessThanOrEqual(4);
    const other = shopper(shop());
    expect(await other("POST", "/cart/items", { body: item })).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "SLOT_UNAVAILABLE" } } },
    });
    await orderCart();
  });

  it("comes back without a hold when it is not offered any more, which checkout says", async () => {
    const { order } = await orderSlot();
    await openLocation(shop(), { operating_hours: everyDay("14:00", "17:00") });
    vi.setSystemTime(Date.now() + 6_000);
    const cart = dataOf(await reopen(order.id));
    expect(cart).toMatchObject({ item_count: 1 });
    const refused = await ask("POST", "/checkout", {
      body: { cart_id: cart.id, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "SLOT_UNAVAILABLE", items: ["Massage"] } } },
    });
  });
});
