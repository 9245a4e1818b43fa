import { beforeEach, describe, expect, it } from "vitest";
import { givenProduct } from "../support/catalogue.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { shopper } from "../support/world.ts";
import { givenComposite } from "./catalogue-stock.ts";
import { broken, dataOf, givenTeaCart, later } from "./tea-cart.ts";

let cart: Awaited<ReturnType<typeof givenTeaCart>>;

beforeEach(async () => {
  cart = await givenTeaCart();
});

describe("a quote that does not fit", () => {
  it("is not found when it is unknown or another business's", async () => {
    const other = await givenNeighbour(cart.shop);
    const product = await givenProduct(other);
    const foreign = dataOf(
      await shopper(other)("POST", "/catalogue/quotes", { body: { product_id: product.id } }),
    ).quote_id;
    for (const quote_id of ["pq_unknown", foreign]) {
      expect(await cart.add({ quote_id })).toMatchObject({ status: 404 });
    }
    expect(await cart.lines()).toEqual([]);
  });

  it("is refused once it has expired", async () => {
    const quote_id = await cart.quoted();
    later(15);
    expect(await cart.add({ quote_id })).toMatchObject(broken("QUOTE_EXPIRED"));
    expect(await cart.lines()).toEqual([]);
  });

  it("is refused for another configuration", async () => {
    const large = cart.tea.variants[1]?.id;
    const honey = cart.tea.addOns[0]?.options[0];
    const cocoa = await givenProduct(cart.shop);
    const plain = await cart.quoted();
    const sweet = await cart.quoted({ add_on_option_ids: [honey?.id] });
    for (const body of [
      { quote_id: plain, variant_id: large },
      { quote_id: plain, add_on_options: [honey?.id] },
      { quote_id: plain, item_id: cocoa.id },
      { quote_id: sweet },
      { quote_id: await cart.quoted({ variant_id: large }) },
    ]) {
      expect(await cart.add(body)).toMatchObject(broken("QUOTE_MISMATCH"));
    }
    expect(await cart.lines()).toEqual([]);
    const small = cart.tea.variants[0]?.id;
    expect(await cart.add({ quote_id: plain, variant_id: small })).toMatchObject({ status: 200 });
    expect(await cart.add({ quote_id: sweet, add_on_options: [honey?.id] })).toMatchObject({
      status: 200,
    });
  });

  it("is refused for other pieces of a composite", async () => {
    const bowl = await givenProduct(cart.shop, { productType: "composite" });
    const component = { name: "Rice", priceMinor: 300, productId: null };
    const components = ["rice", "beans"].map((componentId) => ({ ...component, componentId }));
    await givenComposite(cart.shop, bowl, {
      basePriceMinor: 500,
      groups: [{ id: "g1", name: "Base", minSelections: 1, maxSelections: 3, components }],
    });
    const one = (component_id: string) => ({
      composite_selections: [{ component_id, quantity: 1 }],
    });
    const quote_id = await cart.quoted({ product_id: bowl.id, ...one("rice") });
    const chosen = { item_id: bowl.id, quote_id };
    expect(await cart.add({ ...chosen, ...one("beans") })).toMatchObject(broken("QUOTE_MISMATCH"));
    expect(await cart.add({ ...chosen, ...one("rice") })).toMatchObject({
      body: { data: { item: { unit_price: "8.00" } } },
    });
  });

  it("is refused for more pieces than it is for, also together with what is there already", async () => {
    const quote_id = await cart.quoted();
    expect(await cart.add({ quote_id, quantity: 6 })).toMatchObject(broken("QUOTE_MISMATCH"));
    expect(await cart.add({ quote_id, quantity: 3 })).toMatchObject({ status: 200 });
    expect(await cart.add({ quote_id, quantity: 3 })).toMatchObject(broken("QUOTE_MISMATCH"));
    expect(
      await cart.add({ quote_id, quantity: 3, special_instructions: "no sugar" }),
    ).toMatchObject(broken("QUOTE_MISMATCH"));
    expect(await cart.lines()).toMatchObject([{ quantity: 3, unit_price: "10.00" }]);
    expect(await cart.add({ quote_id, quantity: 2 })).toMatchObject({ status: 200 });
  });

  it("is refused when a change asks for more; once it has expired, there is nothing to exceed", async () => {
    const quote_id = await cart.quoted();
    const { item } = dataOf(await cart.add({ quote_id }));
    expect(await cart.change(item.id, 6)).toMatchObject(broken("QUOTE_MISMATCH"));
    expect(await cart.lines()).toMatchObject([{ quantity: 1 }]);
    expect(await cart.change(item.id, 5)).toMatchObject({ status: 200 });
    later(15);
    expect(await cart.change(item.id, 6)).toMatchObject({ status: 200 });
  });
});
