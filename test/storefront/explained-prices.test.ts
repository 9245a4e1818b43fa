import { expect, it } from "vitest";
import { orderRepo } from "../../shared/orders/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { contextFor, createBusiness, dataOf, shopper } from "../support/world.ts";

/** Tea at 10.00, with honey for 0.50. */
async function createTeaShop() {
  const shop = await createBusiness();
  const ask = shopper(shop);
  const tea = await createProduct(shop, {
    addOns: [
      {
        name: "Extras",
        selectionType: "multiple",
        isRequired: false,
        options: [{ name: "Honey", priceMinor: 50 }],
      },
    ],
  });
  const honey = tea.addOns[0]?.options[0]?.id;
  const placeOrder = async (cart_id: string) => {
    const { order_id } = dataOf(
      await ask("POST", "/checkout", {
        body: { cart_id, customer: { phone: "0241234567" }, payment_method: "cash" },
      }),
    );
    return (await orderRepo(contextFor(shop)).get(order_id)).order;
  };
  return { shop, ask, tea, honey, placeOrder };
}

const parts = [
  { name: "Tea", amountMinor: 1_000 },
  { name: "Honey", amountMinor: 50 },
];

it("returns the parts of a line's unit price, also for a quote", async () => {
  const { ask, tea, honey, placeOrder } = await createTeaShop();
  const { quote_id } = dataOf(
    await ask("POST", "/catalogue/quotes", {
      body: { product_id: tea.id, add_on_option_ids: [honey] },
    }),
  );
  const body = { item_id: tea.id, add_on_options: [honey] };
  await ask("POST", "/cart/items", { body: { ...body, quote_id } });
  await ask("POST", "/cart/items", { body });
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: tea.id } }));
  expect((await placeOrder(id)).lines).toMatchObject([
    { unitPriceMinor: 1_050, priceParts: parts },
    { unitPriceMinor: 1_050, priceParts: parts },
    { unitPriceMinor: 1_000, priceParts: parts.slice(0, 1) },
  ]);
});

it("returns the discounts of an order by deal and line", async () => {
  const { shop, ask, tea, honey, placeOrder } = await createTeaShop();
  const automatic = await createDeal(shop, { name: "A tenth" });
  const coupon = await createDeal(shop, {
    name: "Welcome",
    code: "HELLO",
    discountType: "fixed_amount",
    value: "2",
  });
  await ask("POST", "/cart/items", { body: { item_id: tea.id, quantity: 2 } });
  const body = { item_id: tea.id, add_on_options: [honey] };
  const { id } = dataOf(await ask("POST", "/cart/items", { body }));
  await ask("POST", "/cart/coupons", { body: { coupon_code: "hello" } });
  const { discounts, discountTotalMinor } = await placeOrder(id);
  expect(discounts).toMatchObject([
    { dealId: automatic.id, name: "A tenth", code: null, amountMinor: 305, shares: [200, 105] },
    { dealId: coupon.id, name: "Welcome", code: "HELLO", amountMinor: 200 },
  ]);
  expect(discounts[1]?.shares.reduce((sum, share) => sum + share, 0)).toBe(200);
  expect(discountTotalMinor).toBe(505);
});

it("returns no discounts for an order without deals", async () => {
  const { ask, tea, placeOrder } = await createTeaShop();
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: tea.id } }));
  expect(await placeOrder(id)).toMatchObject({ discounts: [], discountTotalMinor: 0 });
});
