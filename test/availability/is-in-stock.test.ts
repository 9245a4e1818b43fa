import { describe, expect, it } from "vitest";
import { isInStock } from "../../shared/availability/index.ts";
import type { BundleComponent, OfferedProduct } from "../../shared/catalogue/index.ts";
import { createProduct, createProductSet, createVariant } from "../pricing/create-products.ts";

const tracked = (id: string, about: Partial<OfferedProduct> = {}) =>
  createProduct({ id, inventoryType: "tracked", ...about });

const sized = (id: string, sizes: readonly string[]) =>
  createProduct({
    id,
    inventoryType: "variant_level",
    variants: sizes.map((size, index) => createVariant(id, size, { isDefault: index === 0 })),
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
  createProduct({
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
  return createProduct({
    id: "pizza",
    productType: "composite",
    composite: { id: "comp_1", productId: "pizza", basePriceMinor: 0, groups: [group] },
  });
};

const has = (
  one: OfferedProduct,
  parts: readonly OfferedProduct[],
  quantities: Readonly<Record<string, number>>,
) => isInStock(one, createProductSet(one, ...parts), new Map(Object.entries(quantities)));

describe("isInStock, product", () => {
  it("is true when stock is not tracked or a unit is available", () => {
    expect(has(createProduct({ id: "song" }), [], {})).toBe(true);
    expect(has(tracked("tea"), [], {})).toBe(false);
    expect(has(tracked("tea"), [], { tea: 1 })).toBe(true);
  });

  it("is true when any active variant is available", () => {
    expect(has(sized("shirt", ["small", "large"]), [], { large: 1 })).toBe(true);
    const inactive = {
      ...sized("shirt", []),
      variants: [createVariant("shirt", "l", { isActive: false })],
    };
    expect(has(inactive, [], { l: 1 })).toBe(false);
  });
});

describe("isInStock, bundle", () => {
  it("requires the bundle's quantity of each component", () => {
    const box = bundle(component("tea", { quantity: 2 }), component("cup"));
    const parts = [tracked("tea"), tracked("cup")];
    expect(has(box, parts, { tea: 2, cup: 1 })).toBe(true);
    expect(has(box, parts, { tea: 1, cup: 1 })).toBe(false);
    expect(has(box, parts, { tea: 2 })).toBe(false);
  });

  it("adds up components of the same product", () => {
    const box = bundle(component("tea"), component("tea", { componentId: "more tea" }));
    expect(has(box, [tracked("tea")], { tea: 1 })).toBe(false);
    expect(has(box, [tracked("tea")], { tea: 2 })).toBe(true);
  });

  it("uses another variant only for swappable components", () => {
    const shirt = sized("shirt", ["small", "large"]);
    const standard = component("shirt", { defaultVariantId: "small" });
    expect(has(bundle(standard), [shirt], { large: 9 })).toBe(false);
    expect(has(bundle({ ...standard, isSwappable: true }), [shirt], { large: 9 })).toBe(true);
    expect(has(bundle(component("shirt")), [shirt], { large: 9 })).toBe(false);
  });

  it("leaves stock to components that cannot be swapped", () => {
    const shirt = sized("shirt", ["large", "small"]);
    const free = component("shirt", { componentId: "free", isSwappable: true });
    const fixed = component("shirt", { defaultVariantId: "large" });
    expect(has(bundle(free, fixed), [shirt], { large: 1, small: 1 })).toBe(true);
    expect(has(bundle(free, fixed), [shirt], { large: 1 })).toBe(false);
  });

  it("is false when a component is inactive", () => {
    expect(has(bundle(component("tea")), [tracked("tea", { isActive: false })], { tea: 9 })).toBe(
      false,
    );
    expect(has(bundle(component("gone")), [], {})).toBe(false);
  });
});

describe("isInStock, composite", () => {
  it("requires the minimum quantity of each group", () => {
    const parts = [tracked("ham"), tracked("olives")];
    expect(has(composite(3, ["ham", "olives"]), parts, { ham: 1, olives: 2 })).toBe(true);
    expect(has(composite(3, ["ham", "olives"]), parts, { ham: 1, olives: 1 })).toBe(false);
    expect(has(composite(0, ["ham"]), parts, {})).toBe(true);
    expect(has(composite(10_000, ["ham", null]), parts, {})).toBe(true);
    expect(has(composite(1, []), parts, {})).toBe(false);
  });

  it("requires a unit of the composite's own product", () => {
    const pizza = { ...composite(1, ["ham"]), inventoryType: "tracked" as const };
    expect(has(pizza, [tracked("ham")], { ham: 1 })).toBe(false);
    expect(has(pizza, [tracked("ham")], { ham: 1, pizza: 1 })).toBe(true);
  });
});
