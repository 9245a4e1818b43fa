import { expect, it } from "vitest";
import { createDeal } from "../support/create-deal.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

/** Tea at 10.00 and cake at 3.33, with 15 % tax on top and two deals. */
async function createTaxedShop() {
  const shop = await createBusiness();
  await changeSettings(shop, { tax: { ratePercent: "15", isInclusive: false } });
  const tea = await createProduct(shop, { name: "Tea" });
  const cake = await createProduct(shop, { name: "Cake", defaultPriceMinor: 333 });
  const tenth = await createDeal(shop, { name: "A tenth" });
  const coupon = await createDeal(shop, {
    code: "TEA",
    discountType: "fixed_amount",
    value: "2",
    appliesTo: { scope: "product", ids: [tea.id] },
  });
  const ask = shopper(shop);
  await ask("POST", "/cart/items", { body: { item_id: cake.id, quantity: 1 } });
  return { shop, ask, tea, tenth, coupon };
}

it("shows discounts by line and taxes by rate, in the cart and the order", async () => {
  const { shop, ask, tea, tenth, coupon } = await createTaxedShop();
  await ask("POST", "/cart/items", { body: { item_id: tea.id } });
  const cart = dataOf(await ask("POST", "/cart/coupons", { body: { coupon_code: "TEA" } }));
  const ofCake = [{ deal_id: tenth.id, amount: "0.33" }];
  const ofTea = [
    { deal_id: tenth.id, amount: "1.00" },
    { deal_id: coupon.id, amount: "2.00" },
  ];
  const taxLine = { name: "Tax", rate_percent: "15", taxable_amount: "10.00", amount: "1.50" };
  const totals = {
    subtotal: "13.33",
    discount_total: "3.33",
    delivery_total: "0.00",
    tax_total: "1.50",
    tax_lines: [taxLine],
    total_price: "11.50",
  };
  expect(cart).toMatchObject({
    items: [{ discounts: ofCake }, { discounts: ofTea }],
    pricing: totals,
  });
  const placed = await createOrder(shop, tea.id, { ask, quantity: 1 });
  const order = dataOf(await ask("GET", `/orders/${placed.id}?token=${placed.token}`));
  expect(order).toMatchObject({
    subtotal: "23.33",
    discount_total: "4.33",
    tax_lines: [{ ...taxLine, taxable_amount: "19.00", amount: "2.85" }],
    items: [
      { discount_amount: "0.33", discounts: ofCake, tax_amount: "0.45" },
      {
        discount_amount: "4.00",
        discounts: [
          { deal_id: tenth.id, amount: "2.00" },
          { deal_id: coupon.id, amount: "2.00" },
        ],
        tax_amount: "2.40",
      },
    ],
  });

  // As the order was stored before it had taxes by rate and by line.
  await selectRows(shop, "update orders set tax_lines = null where id = ?", placed.id);
  await selectRows(shop, "update order_lines set tax_minor = null where order_id = ?", placed.id);
  expect(dataOf(await ask("GET", `/orders/${placed.id}?token=${placed.token}`))).toEqual(order);
});

it("shows the new discount of a line that a write left unchanged", async () => {
  const shop = await createBusiness();
  const ask = shopper(shop);
  const tea = await createProduct(shop);
  const cake = await createProduct(shop, { defaultPriceMinor: 333 });
  const { id: deal_id } = await createDeal(shop, { discountType: "fixed_amount", value: "2" });
  const add = async (item_id: string) =>
    dataOf(await ask("POST", "/cart/items", { body: { item_id } })).items;
  expect(await add(cake.id)).toMatchObject([{ discounts: [{ deal_id, amount: "2.00" }] }]);
  expect(await add(tea.id)).toMatchObject([
    { discounts: [{ deal_id, amount: "0.50" }] },
    { discounts: [{ deal_id, amount: "1.50" }] },
  ]);
});

it("keeps the proportion of tax in refunds, which add up to the order's tax", async () => {
  const { shop, tea, ask } = await createTaxedShop();
  const { id } = await createOrder(shop, tea.id, { ask, quantity: 1 });
  const business = merchant(shop);
  const refund = async (body: object) =>
    dataOf(await business("POST", `/orders/${id}/refunds`, { body }));
  // 12.00 net with 1.80 tax: 13.80 in all.
  expect(await refund({ amount: "4.60" })).toMatchObject({ amount: "4.60", tax_amount: "0.60" });
  expect(await refund({ amount: "0.05" })).toMatchObject({ tax_amount: "0.01" });
  await selectRows(shop, "update refunds set tax_minor = null where order_id = ?", id);
  expect(await refund({})).toMatchObject({ amount: "9.15", tax_amount: "1.19" });
  expect(dataOf(await business("GET", `/orders/${id}`)).payment.refunds).toMatchObject([
    { tax_amount: "0.60" },
    { tax_amount: "0.01" },
    { tax_amount: "1.19" },
  ]);
});
