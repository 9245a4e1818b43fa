import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness, Settings } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { changeSettings } from "../support/settings.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let meal: Product;

beforeEach(async () => {
  shop = await createBusiness();
  meal = await createProduct(shop, { defaultPriceMinor: 2_500 });
});

const askMerchant = (path: string, body: object = {}) => merchant(shop)("POST", path, { body });

/** Places a paid order and moves it to the status. */
async function createOrderIn(status: string): Promise<PlacedOrder> {
  const order = await createOrder(shop, meal.id);
  if (status !== "confirmed") await askMerchant(`/orders/${order.id}/status`, { status });
  return order;
}

const cancel = ({ id, token }: PlacedOrder) =>
  shopper(shop)("POST", `/orders/${id}/cancel?token=${token}`, { body: {} });

const limitTo = (customerCancellation: Settings["customerCancellation"]) =>
  changeSettings(shop, { customerCancellation });

describe("the setting customer_cancellation", () => {
  it.each([
    ["pending", "confirmed"],
    ["confirmed", "preparing"],
    ["preparing", "ready"],
  ] as const)("%s refuses customers who cancel a %s order", async (limit, status) => {
    await limitTo(limit);
    const order = await createOrderIn(status);
    expect(await cancel(order)).toMatchObject({
      status: 422,
      body: {
        error: {
          message: `The order is already ${status}. Ask the business to cancel it.`,
          context: { rule: "ORDER_NOT_CANCELLABLE", status },
        },
      },
    });
    const loaded = dataOf(await merchant(shop)("GET", `/orders/${order.id}`));
    expect(loaded).toMatchObject({ status, payment_status: "succeeded", payment: { refunds: [] } });
  });

  it.each(["confirmed", "preparing"] as const)(
    "%s lets customers cancel an order in that status",
    async (status) => {
      await limitTo(status);
      const order = await createOrderIn(status);
      expect(dataOf(await cancel(order))).toMatchObject({
        status: "cancelled",
        payment_status: "refunded",
      });
    },
  );

  it("pending lets customers cancel an order that nobody has paid or confirmed", async () => {
    await limitTo("pending");
    const order = await createOrder(shop, meal.id, { payWith: "cash" });
    expect(dataOf(await cancel(order))).toMatchObject({ status: "cancelled" });
  });

  it("does not bind the business", async () => {
    await limitTo("pending");
    const order = await createOrderIn("ready");
    expect(dataOf(await askMerchant(`/orders/${order.id}/cancel`))).toMatchObject({
      status: "cancelled",
      payment_status: "refunded",
    });
  });

  it("is not set at first, and customers cancel any order that is not final", async () => {
    expect(dataOf(await merchant(shop)("GET", "")).customer_cancellation).toBeNull();
    expect((await cancel(await createOrderIn("ready"))).status).toBe(200);
    expect(await cancel(await createOrderIn("completed"))).toMatchObject({ status: 422 });
  });

  it("is changed and taken back by the business", async () => {
    const change = (customer_cancellation: string | null) =>
      merchant(shop)("PATCH", "", { body: { customer_cancellation } });
    expect(dataOf(await change("preparing")).customer_cancellation).toBe("preparing");
    expect(dataOf(await change(null)).customer_cancellation).toBeNull();
  });
});
