import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { productCache, versionMemory } from "../../shared/catalogue/index.ts";
import { contextFor, givenBusiness } from "../support/world.ts";
import { changeProduct, givenBundle, givenComposite, givenProduct } from "./catalogue-stock.ts";

let shop: CreatedBusiness;
let now = 0;
let cache: ReturnType<typeof productCache>;

beforeEach(async () => {
  shop = await givenBusiness();
  cache = productCache(versionMemory());
});

/** The found products' names by id, and the round trips that it took. */
async function find(ids: readonly string[], owner = shop) {
  const ctx = contextFor(owner);
  const found = await cache.find({ ...ctx, now: () => now }, ids);
  return {
    names: Object.fromEntries([...found].map(([id, { name }]) => [id, name])),
    d1: ctx.meter.d1,
  };
}

describe("the products that carts remember", () => {
  it("take one round trip for any number, and none again", async () => {
    const [a, b] = [
      await givenProduct(shop, { name: "A" }),
      await givenProduct(shop, { name: "B" }),
    ];
    const ids = [a.id, b.id, a.id];
    expect(await find(ids)).toEqual({ names: { [a.id]: "A", [b.id]: "B" }, d1: 1 });
    expect(await find(ids)).toEqual({ names: { [a.id]: "A", [b.id]: "B" }, d1: 0 });
  });

  it("load only what is missing", async () => {
    const [a, b] = [
      await givenProduct(shop, { name: "A" }),
      await givenProduct(shop, { name: "B" }),
    ];
    await find([a.id]);
    expect(await find([a.id, b.id])).toEqual({ names: { [a.id]: "A", [b.id]: "B" }, d1: 1 });
    expect((await find([b.id])).d1).toBe(0);
  });

  it("include what is not there, and another business's, as not there", async () => {
    const foreign = await givenProduct(await givenBusiness());
    const ids = ["prod_none", foreign.id];
    expect(await find(ids)).toEqual({ names: {}, d1: 1 });
    expect(await find(ids)).toEqual({ names: {}, d1: 0 });
  });

  it("bring the components of bundles and composites along, warm as cold", async () => {
    const part = await givenProduct(shop, { name: "Part" });
    const piece = await givenProduct(shop, { name: "Piece" });
    const bundle = await givenProduct(shop, { name: "Bundle" });
    const composite = await givenProduct(shop, { name: "Composite" });
    await givenBundle(shop, bundle, [
      {
        componentId: "c",
        name: "Part",
        productId: part.id,
        defaultVariantId: null,
        quantity: 1,
        isSwappable: false,
      },
    ]);
    const component = { componentId: "c", name: "Piece", priceMinor: 1, productId: piece.id };
    await givenComposite(shop, composite, {
      basePriceMinor: 1,
      groups: [{ id: "g", name: "G", minSelections: 0, maxSelections: 1, components: [component] }],
    });
    const names = {
      [bundle.id]: "Bundle",
      [part.id]: "Part",
      [composite.id]: "Composite",
      [piece.id]: "Piece",
    };
    expect(await find([bundle.id, composite.id])).toEqual({ names, d1: 1 });
    expect(await find([bundle.id, composite.id])).toEqual({ names, d1: 0 });
    expect(await find([piece.id])).toEqual({ names: { [piece.id]: "Piece" }, d1: 0 });
  });

  it("never take a bundle's own parts for known because a cart holds it as a component", async () => {
    const leaf = await givenProduct(shop, { name: "Leaf" });
    const inner = await givenProduct(shop, { name: "Inner" });
    const outer = await givenProduct(shop, { name: "Outer" });
    const of = (productId: string) => [
      {
        componentId: "c",
        name: "C",
        productId,
        defaultVariantId: null,
        quantity: 1,
        isSwappable: false,
      },
    ];
    await givenBundle(shop, inner, of(leaf.id));
    await givenBundle(shop, outer, of(inner.id));
    await find([outer.id]);
    expect((await find([inner.id])).names).toEqual({ [inner.id]: "Inner", [leaf.id]: "Leaf" });
  });

  it("show a change when they are 5 s old, and together with what else is read anew", async () => {
    const [a, b] = [
      await givenProduct(shop, { name: "A" }),
      await givenProduct(shop, { name: "B" }),
    ];
    now = 10_000;
    await find([a.id]);
    await changeProduct(shop, a.id, { name: "A2" });
    now = 15_000;
    expect(await find([a.id])).toEqual({ names: { [a.id]: "A" }, d1: 0 });
    now = 15_001;
    expect(await find([a.id, b.id])).toEqual({ names: { [a.id]: "A2", [b.id]: "B" }, d1: 1 });
  });
});
