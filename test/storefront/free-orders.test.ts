import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import {
  type ApiResponse,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 10);
  await createDeal(shop, { name: "On the house", value: "100" });
});

const onPhone = {
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: "0241234563", provider: "mtn" }, // this number is declined
};

async function checkout(payment: object): Promise<ApiResponse> {
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: product.id } }));
  return ask("POST", "/checkout", {
    body: { cart_id: id, customer: { phone: "0241234567" }, ...payment },
  });
}

it.each([onPhone, { payment_method: "card" }])(
  "marks a free order as paid without calling the provider: %j",
  async (payment) => {
    const sold = await checkout(payment);
    expect(sold).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured", next_action: { type: "none" } } },
    });
    expect(roundTrips(sold)).toMatchObject({ d1: 2, do: 1 });
    const { order_id: id } = dataOf(sold);
    expect(dataOf(await merchant(shop)("GET", `/orders/${id}`))).toMatchObject({
      status: "confirmed",
      total_price: "0.00",
      payment_status: "succeeded",
    });
    expect(
      await selectRows(shop, "select reference from sandbox_charges where order_id = ?", id),
    ).toEqual([]);
    expect((await listOutboxEventTypes(shop)).sort()).toEqual([
      "order.created",
      "order.updated",
      "payment.completed",
    ]);
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ item_count: 0 });
  },
);

it("leaves a free cash order pending like any other", async () => {
  const sold = await checkout({ payment_method: "cash" });
  expect(sold).toMatchObject({ status: 200, body: { data: { payment_status: "pending" } } });
});

it("cancels a free order without a refund", async () => {
  const { order_id: id, bill_token } = dataOf(await checkout(onPhone));
  const cancelled = await ask("POST", `/orders/${id}/cancel?token=${bill_token}`, { body: {} });
  expect(dataOf(cancelled)).toMatchObject({ status: "cancelled" });
  expect(dataOf(await merchant(shop)("GET", `/orders/${id}`)).payment.refunds).toEqual([]);
});
