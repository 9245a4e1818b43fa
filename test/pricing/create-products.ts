import type { AddOnGroup, OfferedProduct, Variant } from "../../shared/catalogue/index.ts";
import type { LineConfiguration, ProductSet, Selection } from "../../shared/pricing/index.ts";

export const createProduct = (about: Partial<OfferedProduct> & { id: string }): OfferedProduct => ({
  name: about.id,
  slug: about.id,
  description: "",
  categoryId: null,
  taxonomyId: null,
  defaultPriceMinor: 1_000,
  compareAtPriceMinor: null,
  taxClass: "standard",
  productType: "product",
  inventoryType: "none",
  isActive: true,
  isFeatured: false,
  tags: [],
  properties: {},
  images: [],
  variantAxes: [],
  variants: [],
  addOns: [],
  priceOverrides: [],
  schedules: [],
  billingPlanIds: [],
  weightGrams: 0,
  requiresShipping: true,
  billingPlans: [],
  groupIds: [],
  bundle: null,
  composite: null,
  createdAt: 0,
  updatedAt: 0,
  ...about,
});

export const createVariant = (
  productId: string,
  id: string,
  about: Partial<Variant> = {},
): Variant => ({
  id,
  productId,
  name: id,
  priceAdjustmentMinor: 0,
  compareAtPriceMinor: null,
  isDefault: false,
  isActive: true,
  sku: null,
  axisValues: {},
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
  weightGrams: null,
  ...about,
});

/** A group of options, each named and identified by its key, with its price. */
export const createAddOnGroup = (
  id: string,
  prices: Readonly<Record<string, number>>,
  about: Partial<AddOnGroup> = {},
): AddOnGroup => ({
  id,
  name: id,
  selectionType: "multiple",
  isRequired: false,
  options: Object.entries(prices).map(([option, priceMinor]) => ({
    id: option,
    name: option,
    priceMinor,
  })),
  ...about,
});

export const createSelection = (
  componentId: string,
  about: Partial<Selection> = {},
): Selection => ({
  componentId,
  quantity: 1,
  variantId: null,
  addOnOptionId: null,
  ...about,
});

export const createConfiguration = (
  productId: string,
  about: Partial<LineConfiguration> = {},
): LineConfiguration => ({
  productId,
  variantId: null,
  addOnOptionIds: [],
  bundleSelections: [],
  compositeSelections: [],
  specialInstructions: null,
  locationId: null,
  billingPlanId: null,
  ...about,
});

export const createProductSet = (...products: readonly OfferedProduct[]): ProductSet =>
  new Map(products.map((one) => [one.id, one]));

/** Sums as bigint, so that the expectation does not share rounding with the code. */
export const sumExactly = (amounts: readonly (number | bigint)[]): bigint =>
  amounts.reduce<bigint>((total, amount) => total + BigInt(amount), 0n);
