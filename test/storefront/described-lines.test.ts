import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

/** The origin of the requests that the tests send. */
const origin = "https://duka.test";

const add = async (body: object) => dataOf(await ask("POST", "/cart/items", { body }));

async function placeOrder() {
  const { id: cart_id } = dataOf(await ask("GET", "/cart"));
  const { order_id, bill_token } = dataOf(
    await ask("POST", "/checkout", {
      body: { cart_id, customer: { phone: "0241234567" }, payment_method: "cash" },
    }),
  );
  return dataOf(await ask("GET", `/orders/${order_id}?token=${bill_token}`));
}

/** Tea at 10.00 in two sizes, with honey for 0.50. */
const createTea = () =>
  createProduct(shop, {
    slug: "green-tea",
    images: [
      { url: "/cdn/assets/back.jpg", isPrimary: false },
      { url: "/cdn/assets/tea.jpg", isPrimary: true },
    ],
    variants: [variant("Small", 0), variant("Large", 200)],
    addOns: [
      {
        name: "Extras",
        selectionType: "multiple",
        isRequired: false,
        options: [{ name: "Honey", priceMinor: 50 }],
      },
    ],
  });

const variant = (name: string, priceAdjustmentMinor: number) => ({
  name,
  priceAdjustmentMinor,
  isDefault: name === "Small",
  isActive: true,
  sku: null,
  axisValues: {},
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
});

describe("a line of a cart and of its order", () => {
  it("names the product's slug and image, its add-on options, and the parts of its price", async () => {
    const tea = await createTea();
    const option = tea.addOns[0]?.options[0]?.id;
    const { item } = await add({ item_id: tea.id, add_on_options: [option] });
    const described = {
      slug: "green-tea",
      image_url: `${origin}/cdn/assets/tea.jpg`,
      add_on_options: [option],
      add_ons: [{ id: option, name: "Honey", group_name: "Extras", price: "0.50" }],
      contents: [],
      price_parts: [
        { name: "Tea", amount: "10.00" },
        { name: "Small", amount: "0.00" },
        { name: "Honey", amount: "0.50" },
      ],
    };
    expect(item).toMatchObject({ name: "Tea", variant_name: "Small", ...described });
    const read = await ask("GET", "/cart");
    expect(read).toMatchObject({ body: { data: { items: [described] } } });
    expect(roundTrips(read)).toMatchObject({ d1: 0, do: 1 });
    expect((await placeOrder()).items).toMatchObject([{ product_name: "Tea", ...described }]);
  });

  it("lists everything that a bundle contains, swapped or not", async () => {
    const tea = await createTea();
    const large = tea.variants.find(({ name }) => name === "Large")?.id;
    const cup = await createProduct(shop, { name: "Cup", defaultPriceMinor: 700 });
    const bundle = dataOf(
      await merchant(shop)("POST", "/bundles", {
        body: {
          name: "Tea set",
          components: [
            { name: "The tea", product_id: tea.id, quantity: 2, is_swappable: true },
            { name: "The cup", product_id: cup.id, quantity: 1 },
          ],
          pricing: { type: "fixed", value: "20" },
        },
      }),
    );
    const [first] = bundle.components;
    await add({
      item_id: bundle.product_id,
      bundle_selections: [{ component_id: first.component_id, variant_id: large }],
    });
    const contents = [
      {
        component_id: first.component_id,
        product_id: tea.id,
        name: "The tea",
        variant_id: large,
        variant_name: "Large",
        add_on_option_id: null,
        add_on_option_name: null,
        quantity: 2,
        unit_price: "12.00",
      },
      expect.objectContaining({
        product_id: cup.id,
        name: "The cup",
        variant_id: null,
        quantity: 1,
        unit_price: "7.00",
      }),
    ];
    expect(dataOf(await ask("GET", "/cart")).items).toMatchObject([
      { name: "Tea set", unit_price: "24.00", image_url: null, contents },
    ]);
    expect((await placeOrder()).items).toMatchObject([{ contents }]);
  });

  it("lists what was selected of a composite", async () => {
    const tea = await createTea();
    const large = tea.variants.find(({ name }) => name === "Large")?.id;
    const honey = tea.addOns[0]?.options[0]?.id;
    const composite = dataOf(
      await merchant(shop)("POST", "/composites", {
        body: {
          name: "Hamper",
          base_price: "5",
          groups: [
            {
              name: "Drinks",
              min_selections: 1,
              max_selections: 5,
              components: [
                { name: "Tea", price: "8", product_id: tea.id },
                { name: "Card", price: "1" },
              ],
            },
          ],
        },
      }),
    );
    const [drink, card] = composite.groups[0].components;
    await add({
      item_id: composite.product_id,
      composite_selections: [
        { component_id: card.component_id },
        {
          component_id: drink.component_id,
          quantity: 3,
          variant_id: large,
          add_on_option_id: honey,
        },
      ],
    });
    const contents = [
      { component_id: card.component_id, product_id: null, name: "Card", unit_price: "1.00" },
      {
        component_id: drink.component_id,
        product_id: tea.id,
        name: "Tea",
        variant_id: large,
        variant_name: "Large",
        add_on_option_id: honey,
        add_on_option_name: "Honey",
        quantity: 3,
        unit_price: "10.50",
      },
    ];
    expect(dataOf(await ask("GET", "/cart")).items).toMatchObject([
      { unit_price: "37.50", contents },
    ]);
    expect((await placeOrder()).items).toMatchObject([{ contents }]);
  });

  it("keeps the names of the time of the order", async () => {
    const tea = await createTea();
    const option = tea.addOns[0]?.options[0]?.id;
    await add({ item_id: tea.id, add_on_options: [option] });
    const placed = await placeOrder();
    await merchant(shop)("PATCH", `/products/${tea.id}`, {
      body: { slug: "black-tea", add_ons: [], images: [] },
    });
    const [order] = dataOf(await merchant(shop)("GET", "/orders")).items;
    expect(order.items).toEqual(placed.items);
    expect(order.items).toMatchObject([{ slug: "green-tea", add_ons: [{ name: "Honey" }] }]);
  });

  it("shows a change of the product at the cart's next write", async () => {
    const tea = await createTea();
    await add({ item_id: tea.id });
    await merchant(shop)("PATCH", `/products/${tea.id}`, {
      body: { slug: "black-tea", images: [{ url: "https://img.test/black.jpg" }] },
    });
    vi.setSystemTime(Date.now() + 6_000); // isolates cache the product for 5 s
    const { items } = await add({ item_id: (await createProduct(shop, { name: "Cup" })).id });
    expect(items).toMatchObject([
      { slug: "black-tea", image_url: "https://img.test/black.jpg" },
      { name: "Cup" },
    ]);
  });

  it("is shown without a description when it was ordered before descriptions were stored", async () => {
    await add({ item_id: (await createTea()).id });
    const { id } = await placeOrder();
    await selectRows(shop, "update order_lines set details = null where order_id = ?", id);
    const [order] = dataOf(await merchant(shop)("GET", "/orders")).items;
    expect(order.items).toMatchObject([
      { slug: null, image_url: null, add_ons: [], contents: [], product_name: "Tea" },
    ]);
  });
});

describe("the discounts of a cart and of its order", () => {
  it("name the automatic deal and the coupon with what each takes off", async () => {
    const automatic = await createDeal(shop, { name: "A tenth" });
    const coupon = await createDeal(shop, {
      name: "Welcome",
      code: "WELCOME",
      discountType: "fixed_amount",
      value: "1",
    });
    await add({ item_id: (await createProduct(shop)).id });
    const { pricing } = dataOf(
      await ask("POST", "/cart/coupons", { body: { coupon_code: "WELCOME" } }),
    );
    const discounts = [
      { deal_id: automatic.id, name: "A tenth", code: null, amount: "1.00" },
      { deal_id: coupon.id, name: "Welcome", code: "WELCOME", amount: "1.00" },
    ];
    expect(pricing).toMatchObject({ discount_total: "2.00", discounts });
    expect(dataOf(await ask("GET", "/cart")).pricing).toMatchObject({ discounts });
    expect(await placeOrder()).toMatchObject({ discount_total: "2.00", discounts });
  });
});
