import { describe, expect, it } from "vitest";
import { isInStock } from "../../shared/availability/index.ts";
import type { BundleComponent, OfferedProduct } from "../../shared/catalogue/index.ts";
import { product, setOf, variant } from "../pricing/given.ts";

const tracked = (id: string, about: Partial<OfferedProduct> = {}) =>
  product({ id, inventoryType: "tracked", ...about });

const sized = (id: string, sizes: readonly string[]) =>
  product({
    id,
    inventoryType: "variant_level",
    variants: sizes.map((size, index) => variant(id, size, { isDefault: index === 0 })),
  });

const component = (productId: string, about: Partial<BundleComponent> = {}): BundleComponent => ({
  componentId: `part of ${productId}`,
  name: productId,
  productId,
  defaultVariantId: null,
  quantity: 1,
  isSwappable: false,
  ...about,
});

const bundle = (...components: readonly BundleComponent[]): OfferedProduct =>
  product({
    id: "box",
    productType: "bundle",
    bundle: { id: "bun_1", productId: "box", components, pricing: { type: "fixed" } },
  });

const composite = (
  minSelections: number,
  productIds: readonly (string | null)[],
): OfferedProduct => {
  const components = productIds.map((productId, index) => ({
    componentId: `choice ${index}`,
    name: `choice ${index}`,
    priceMinor: 0,
    productId,
  }));
  const group = { id: "grp_1", name: "Toppings", minSelections, maxSelections: 100, components };
  return product({
    id: "pizza",
    productType: "composite",
    composite: { id: "comp_1", productId: "pizza", basePriceMinor: 0, groups: [group] },
  });
};

const has = (
  one: OfferedProduct,
  parts: readonly OfferedProduct[],
  pieces: Readonly<Record<string, number>>,
) => isInStock(one, setOf(one, ...parts), new Map(Object.entries(pieces)));

describe("a product is in stock", () => {
  it("always where nothing is counted, else with a piece of its own", () => {
    expect(has(product({ id: "song" }), [], {})).toBe(true);
    expect(has(tracked("tea"), [], {})).toBe(false);
    expect(has(tracked("tea"), [], { tea: 1 })).toBe(true);
  });

  it("with a piece of any variant that can be bought", () => {
    expect(has(sized("shirt", ["small", "large"]), [], { large: 1 })).toBe(true);
    const inactive = {
      ...sized("shirt", []),
      variants: [variant("shirt", "l", { isActive: false })],
    };
    expect(has(inactive, [], { l: 1 })).toBe(false);
  });
});

describe("a bundle is in stock", () => {
  it("when each component has as many pieces as the bundle holds", () => {
    const box = bundle(component("tea", { quantity: 2 }), component("cup"));
    const parts = [tracked("tea"), tracked("cup")];
    expect(has(box, parts, { tea: 2, cup: 1 })).toBe(true);
    expect(has(box, parts, { tea: 1, cup: 1 })).toBe(false);
    expect(has(box, parts, { tea: 2 })).toBe(false);
  });

  it("when components of one product have enough together", () => {
    const box = bundle(component("tea"), component("tea", { componentId: "more tea" }));
    expect(has(box, [tracked("tea")], { tea: 1 })).toBe(false);
    expect(has(box, [tracked("tea")], { tea: 2 })).toBe(true);
  });

  it("in its standard variant, or in another where that may be swapped", () => {
    const shirt = sized("shirt", ["small", "large"]);
    const standard = component("shirt", { defaultVariantId: "small" });
    expect(has(bundle(standard), [shirt], { large: 9 })).toBe(false);
    expect(has(bundle({ ...standard, isSwappable: true }), [shirt], { large: 9 })).toBe(true);
    expect(has(bundle(component("shirt")), [shirt], { large: 9 })).toBe(false);
  });

  it("when a swap can make way for what must be as it is", () => {
    const shirt = sized("shirt", ["large", "small"]);
    const free = component("shirt", { componentId: "free", isSwappable: true });
    const fixed = component("shirt", { defaultVariantId: "large" });
    expect(has(bundle(free, fixed), [shirt], { large: 1, small: 1 })).toBe(true);
    expect(has(bundle(free, fixed), [shirt], { large: 1 })).toBe(false);
  });

  it("not when a component is not sold any more", () => {
    expect(has(bundle(component("tea")), [tracked("tea", { isActive: false })], { tea: 9 })).toBe(
      false,
    );
    expect(has(bundle(component("gone")), [], {})).toBe(false);
  });
});

describe("a composite is in stock", () => {
  it("when as many pieces can be chosen as each group takes at least", () => {
    const parts = [tracked("ham"), tracked("olives")];
    expect(has(composite(3, ["ham", "olives"]), parts, { ham: 1, olives: 2 })).toBe(true);
    expect(has(composite(3, ["ham", "olives"]), parts, { ham: 1, olives: 1 })).toBe(false);
    expect(has(composite(0, ["ham"]), parts, {})).toBe(true);
    expect(has(composite(10_000, ["ham", null]), parts, {})).toBe(true);
    expect(has(composite(1, []), parts, {})).toBe(false);
  });

  it("counting its own pieces as well", () => {
    const pizza = { ...composite(1, ["ham"]), inventoryType: "tracked" as const };
    expect(has(pizza, [tracked("ham")], { ham: 1 })).toBe(false);
    expect(has(pizza, [tracked("ham")], { ham: 1, pizza: 1 })).toBe(true);
  });
});
