import { beforeEach, describe, expect, it } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { createBusinessOnSameShard, dataOf, shopper } from "../support/world.ts";
import { createCompositeRow } from "./create-catalogue-rows.ts";
import { advanceTo, createTeaCart, ruleViolationResponse } from "./create-tea-cart.ts";

let cart: Awaited<ReturnType<typeof createTeaCart>>;

beforeEach(async () => {
  cart = await createTeaCart();
});

describe("a quote in POST /cart/items", () => {
  it("is not found when it is unknown or belongs to another business", async () => {
    const other = await createBusinessOnSameShard(cart.shop);
    const product = await createProduct(other);
    const foreign = dataOf(
      await shopper(other)("POST", "/catalogue/quotes", { body: { product_id: product.id } }),
    ).quote_id;
    for (const quote_id of ["pq_unknown", foreign]) {
      expect(await cart.add({ quote_id })).toMatchObject({ status: 404 });
    }
    expect(await cart.lines()).toEqual([]);
  });

  it("is rejected after it expired", async () => {
    const quote_id = await cart.createQuote();
    advanceTo(15);
    expect(await cart.add({ quote_id })).toMatchObject(ruleViolationResponse("QUOTE_EXPIRED"));
    expect(await cart.lines()).toEqual([]);
  });

  it("is rejected for another configuration", async () => {
    const large = cart.tea.variants[1]?.id;
    const honey = cart.tea.addOns[0]?.options[0];
    const cocoa = await createProduct(cart.shop);
    const plain = await cart.createQuote();
    const sweet = await cart.createQuote({ add_on_option_ids: [honey?.id] });
    for (const body of [
      { quote_id: plain, variant_id: large },
      { quote_id: plain, add_on_options: [honey?.id] },
      { quote_id: plain, item_id: cocoa.id },
      { quote_id: sweet },
      { quote_id: await cart.createQuote({ variant_id: large }) },
    ]) {
      expect(await cart.add(body)).toMatchObject(ruleViolationResponse("QUOTE_MISMATCH"));
    }
    expect(await cart.lines()).toEqual([]);
    const small = cart.tea.variants[0]?.id;
    expect(await cart.add({ quote_id: plain, variant_id: small })).toMatchObject({ status: 200 });
    expect(await cart.add({ quote_id: sweet, add_on_options: [honey?.id] })).toMatchObject({
      status: 200,
    });
  });

  it("is rejected for other components of a composite", async () => {
    const bowl = await createProduct(cart.shop, { productType: "composite" });
    const component = { name: "Rice", priceMinor: 300, productId: null };
    const components = ["rice", "beans"].map((componentId) => ({ ...component, componentId }));
    await createCompositeRow(cart.shop, bowl, {
      basePriceMinor: 500,
      groups: [{ id: "g1", name: "Base", minSelections: 1, maxSelections: 3, components }],
    });
    const one = (component_id: string) => ({
      composite_selections: [{ component_id, quantity: 1 }],
    });
    const quote_id = await cart.createQuote({ product_id: bowl.id, ...one("rice") });
    const chosen = { item_id: bowl.id, quote_id };
    expect(await cart.add({ ...chosen, ...one("beans") })).toMatchObject(
      ruleViolationResponse("QUOTE_MISMATCH"),
    );
    expect(await cart.add({ ...chosen, ...one("rice") })).toMatchObject({
      body: { data: { item: { unit_price: "8.00" } } },
    });
  });

  it("is rejected above its quantity, including units already in the cart", async () => {
    const quote_id = await cart.createQuote();
    expect(await cart.add({ quote_id, quantity: 6 })).toMatchObject(
      ruleViolationResponse("QUOTE_MISMATCH"),
    );
    expect(await cart.add({ quote_id, quantity: 3 })).toMatchObject({ status: 200 });
    expect(await cart.add({ quote_id, quantity: 3 })).toMatchObject(
      ruleViolationResponse("QUOTE_MISMATCH"),
    );
    expect(
      await cart.add({ quote_id, quantity: 3, special_instructions: "no sugar" }),
    ).toMatchObject(ruleViolationResponse("QUOTE_MISMATCH"));
    expect(await cart.lines()).toMatchObject([{ quantity: 3, unit_price: "10.00" }]);
    expect(await cart.add({ quote_id, quantity: 2 })).toMatchObject({ status: 200 });
  });

  it("is enforced on PATCH until it expires", async () => {
    const quote_id = await cart.createQuote();
    const { item } = dataOf(await cart.add({ quote_id }));
    expect(await cart.change(item.id, 6)).toMatchObject(ruleViolationResponse("QUOTE_MISMATCH"));
    expect(await cart.lines()).toMatchObject([{ quantity: 1 }]);
    expect(await cart.change(item.id, 5)).toMatchObject({ status: 200 });
    advanceTo(15);
    expect(await cart.change(item.id, 6)).toMatchObject({ status: 200 });
  });
});
