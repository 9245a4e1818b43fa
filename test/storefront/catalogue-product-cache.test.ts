import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProductCache, createVersionCache } from "../../shared/catalogue/index.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import {
  createBundleRow,
  createCompositeRow,
  createProductRow,
  updateProductRow,
} from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;
let now = 0;
let cache: ReturnType<typeof createProductCache>;

beforeEach(async () => {
  shop = await createBusiness();
  cache = createProductCache(createVersionCache());
});

/** Finds products through the cache; returns their names by id and the round trips. */
async function findNames(ids: readonly string[], owner = shop) {
  const ctx = contextFor(owner);
  const products = await cache.find({ ...ctx, now: () => now }, ids);
  return {
    names: Object.fromEntries([...products].map(([id, { name }]) => [id, name])),
    d1: ctx.meter.d1,
  };
}

describe("the product cache", () => {
  it("takes one round trip for any number of products, and none again", async () => {
    const [a, b] = [
      await createProductRow(shop, { name: "A" }),
      await createProductRow(shop, { name: "B" }),
    ];
    const ids = [a.id, b.id, a.id];
    expect(await findNames(ids)).toEqual({ names: { [a.id]: "A", [b.id]: "B" }, d1: 1 });
    expect(await findNames(ids)).toEqual({ names: { [a.id]: "A", [b.id]: "B" }, d1: 0 });
  });

  it("loads only missing products", async () => {
    const [a, b] = [
      await createProductRow(shop, { name: "A" }),
      await createProductRow(shop, { name: "B" }),
    ];
    await findNames([a.id]);
    expect(await findNames([a.id, b.id])).toEqual({ names: { [a.id]: "A", [b.id]: "B" }, d1: 1 });
    expect((await findNames([b.id])).d1).toBe(0);
  });

  it("caches that a product is unknown or another business's", async () => {
    const foreign = await createProductRow(await createBusiness());
    const ids = ["prod_none", foreign.id];
    expect(await findNames(ids)).toEqual({ names: {}, d1: 1 });
    expect(await findNames(ids)).toEqual({ names: {}, d1: 0 });
  });

  it("includes the components of bundles and composites, cached or not", async () => {
    const part = await createProductRow(shop, { name: "Part" });
    const piece = await createProductRow(shop, { name: "Piece" });
    const bundle = await createProductRow(shop, { name: "Bundle" });
    const composite = await createProductRow(shop, { name: "Composite" });
    await createBundleRow(shop, bundle, [
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
    await createCompositeRow(shop, composite, {
      basePriceMinor: 1,
      groups: [{ id: "g", name: "G", minSelections: 0, maxSelections: 1, components: [component] }],
    });
    const names = {
      [bundle.id]: "Bundle",
      [part.id]: "Part",
      [composite.id]: "Composite",
      [piece.id]: "Piece",
    };
    expect(await findNames([bundle.id, composite.id])).toEqual({ names, d1: 1 });
    expect(await findNames([bundle.id, composite.id])).toEqual({ names, d1: 0 });
    expect(await findNames([piece.id])).toEqual({ names: { [piece.id]: "Piece" }, d1: 0 });
  });

  it("loads the components of a bundle that was cached as a component", async () => {
    const leaf = await createProductRow(shop, { name: "Leaf" });
    const inner = await createProductRow(shop, { name: "Inner" });
    const outer = await createProductRow(shop, { name: "Outer" });
    const componentsOf = (productId: string) => [
      {
        componentId: "c",
        name: "C",
        productId,
        defaultVariantId: null,
        quantity: 1,
        isSwappable: false,
      },
    ];
    await createBundleRow(shop, inner, componentsOf(leaf.id));
    await createBundleRow(shop, outer, componentsOf(inner.id));
    await findNames([outer.id]);
    expect((await findNames([inner.id])).names).toEqual({ [inner.id]: "Inner", [leaf.id]: "Leaf" });
  });

  it("shows a change after 5 s, in the same round trip as other products", async () => {
    const [a, b] = [
      await createProductRow(shop, { name: "A" }),
      await createProductRow(shop, { name: "B" }),
    ];
    now = 10_000;
    await findNames([a.id]);
    await updateProductRow(shop, a.id, { name: "A2" });
    now = 15_000;
    expect(await findNames([a.id])).toEqual({ names: { [a.id]: "A" }, d1: 0 });
    now = 15_001;
    expect(await findNames([a.id, b.id])).toEqual({ names: { [a.id]: "A2", [b.id]: "B" }, d1: 1 });
  });
});
