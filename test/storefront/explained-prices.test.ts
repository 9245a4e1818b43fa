import { expect, it } from "vitest";
import { orderRepo } from "../../shared/orders/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenDeal } from "../support/deals.ts";
import { type Answer, contextFor, givenBusiness, shopper } from "../support/world.ts";

const dataOf = ({ body }: Answer) => Object(body).data;

/** Tea at 10.00, with honey for 0.50. */
async function given() {
  const shop = await givenBusiness();
  const ask = shopper(shop);
  const tea = await givenProduct(shop, {
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
  const ordered = async (cart_id: string) => {
    const { order_id } = dataOf(
      await ask("POST", "/checkout", {
        body: { cart_id, customer: { phone: "0241234567" }, payment_method: "cash" },
      }),
    );
    return (await orderRepo(contextFor(shop)).get(order_id)).order;
  };
  return { shop, ask, tea, honey, ordered };
}

const parts = [
  { name: "Tea", amountMinor: 1_000 },
  { name: "Honey", amountMinor: 50 },
];

it("an order's line says what its unit price is made of, by a quote too", async () => {
  const { ask, tea, honey, ordered } = await given();
  const { quote_id } = dataOf(
    await ask("POST", "/catalogue/quotes", {
      body: { product_id: tea.id, add_on_option_ids: [honey] },
    }),
  );
  const body = { item_id: tea.id, add_on_options: [honey] };
  await ask("POST", "/cart/items", { body: { ...body, quote_id } });
  await ask("POST", "/cart/items", { body });
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: tea.id } }));
  expect((await ordered(id)).lines).toMatchObject([
    { unitPriceMinor: 1_050, priceParts: parts },
    { unitPriceMinor: 1_050, priceParts: parts },
    { unitPriceMinor: 1_000, priceParts: parts.slice(0, 1) },
  ]);
});

it("an order says what each deal took off, and off which lines", async () => {
  const { shop, ask, tea, honey, ordered } = await given();
  const automatic = await givenDeal(shop, { name: "A tenth" });
  const coupon = await givenDeal(shop, {
    name: "Welcome",
    code: "HELLO",
    discountType: "fixed_amount",
    value: "2",
  });
  await ask("POST", "/cart/items", { body: { item_id: tea.id, quantity: 2 } });
  const body = { item_id: tea.id, add_on_options: [honey] };
  const { id } = dataOf(await ask("POST", "/cart/items", { body }));
  await ask("POST", "/cart/coupons", { body: { coupon_code: "hello" } });
  const { discounts, discountTotalMinor } = await ordered(id);
  expect(discounts).toMatchObject([
    { dealId: automatic.id, name: "A tenth", code: null, amountMinor: 305, shares: [200, 105] },
    { dealId: coupon.id, name: "Welcome", code: "HELLO", amountMinor: 200 },
  ]);
  expect(discounts[1]?.shares.reduce((sum, share) => sum + share, 0)).toBe(200);
  expect(discountTotalMinor).toBe(505);
});

it("an order without deals says that nothing was taken off", async () => {
  const { ask, tea, ordered } = await given();
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: tea.id } }));
  expect(await ordered(id)).toMatchObject({ discounts: [], discountTotalMinor: 0 });
});
