import { expect } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { NewProduct, Product as StoredProduct } from "../../shared/catalogue/index.ts";
import { createProduct } from "../support/create-product.ts";
import { merchant } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import {
  createBundle,
  createComposite,
  createdData,
  createServices,
} from "./create-composed-products.ts";
import {
  bundleChoices,
  compositeChoices,
  optionChoices,
  type ProductChoice,
  plainChoice,
  variantChoices,
} from "./product-choices.ts";
import { type Plan, type Product, ungrouped } from "./shop-model.ts";

/** A product and its choices: first plain ones, last refused ones. */
export type ProductWithChoices = Readonly<{ product: Product; choices: readonly ProductChoice[] }>;

/**
 * Creates one product of every kind with the same minor units in every currency; some have location
 * prices.
 */
export async function createProducts(
  business: CreatedBusiness,
  { decimals, locations }: Readonly<{ decimals: number; locations: readonly string[] }>,
): Promise<ProductWithChoices[]> {
  const there = (priceMinor: number) => ({
    priceOverrides: [{ locationId: locations[1] ?? "", variantId: null, priceMinor }],
  });
  const plans = await createBillingPlans(business, decimals);
  const plain = await createModelProduct(business, {
    name: "Plain",
    defaultPriceMinor: 1_235,
    ...there(1_111),
    plans: plans.slice(0, 2),
  });
  const topped = await createModelProduct(business, {
    name: "Topped",
    defaultPriceMinor: 777,
    addOns: [toppings],
  });
  const sized = await addVariantPrice(
    business,
    await createModelProduct(business, {
      name: "Sized",
      defaultPriceMinor: 2_005,
      ...inSizes,
      ...there(2_490),
    }),
    decimals,
  );
  const both = await createModelProduct(business, {
    name: "Both",
    defaultPriceMinor: 1_010,
    ...inSizes,
    addOns: [milk, toppings],
    plans: plans.slice(2),
  });
  const tracked = await createModelProduct(business, {
    name: "Tracked",
    defaultPriceMinor: 450,
    ...there(399),
    inventoryType: "tracked",
  });
  const shirts = await addVariantPrice(
    business,
    await createModelProduct(business, {
      name: "Shirts",
      defaultPriceMinor: 3_333,
      inventoryType: "variant_level",
      ...inSizes,
      ...there(3_000),
    }),
    decimals,
  );
  const bundle = await createBundle(business, decimals, [sized, tracked, shirts]);
  const composite = await createComposite(business, decimals, tracked);
  const services = await createServices(business, decimals, locations);
  return [
    { product: plain, choices: [plainChoice] },
    { product: tracked, choices: [plainChoice] },
    { product: topped, choices: optionChoices(topped, [[], [0], [1, 2], [0, 1, 2]]) },
    { product: sized, choices: variantChoices(sized) },
    { product: shirts, choices: variantChoices(shirts) },
    // One of the first two options (milk) is required.
    { product: both, choices: optionChoices(both, [[0], [1], [1, 3], [0, 2, 4], [], [0, 1]]) },
    { product: bundle, choices: bundleChoices(bundle, [sized, shirts]) },
    { product: composite, choices: compositeChoices(composite) },
    ...services.map((product) => ({ product, choices: [plainChoice] })),
  ];
}

const sizes = { Small: -400, Middle: 0, Large: 305 };
const inSizes = {
  variantAxes: [{ name: "size", label: "Size", values: Object.keys(sizes) }],
  variants: Object.entries(sizes).map(([name, priceAdjustmentMinor]) => ({
    name,
    priceAdjustmentMinor,
    isDefault: name === "Middle",
    axisValues: { size: name },
    isActive: true,
    sku: null,
    durationMinutes: null,
    bufferMinutes: null,
    capacity: null,
  })),
};
const milk = {
  name: "Milk",
  selectionType: "single" as const,
  isRequired: true,
  options: [
    { name: "Cow", priceMinor: 0 },
    { name: "Oat", priceMinor: 75 },
  ],
};
const toppings = {
  name: "Toppings",
  selectionType: "multiple" as const,
  isRequired: false,
  options: [
    { name: "Cream", priceMinor: 199 },
    { name: "Honey", priceMinor: 101 },
    { name: "Nuts", priceMinor: 50 },
  ],
};

async function createModelProduct(
  business: CreatedBusiness,
  { plans = [], ...fields }: Partial<NewProduct> & { plans?: readonly Plan[] },
): Promise<Product> {
  const billingPlanIds = plans.map(({ id }) => id);
  return { ...modelOf(await createProduct(business, { ...fields, billingPlanIds })), plans };
}

/** Adds a location price for one variant. */
async function addVariantPrice(
  business: CreatedBusiness,
  product: Product,
  decimals: number,
): Promise<Product> {
  const variantId = product.variants[0]?.id ?? "";
  const localPrices = product.localPrices.flatMap((one) => [
    one,
    { ...one, variantId, price: 2_222n },
  ]);
  const price_overrides = localPrices.map(({ locationId, variantId, price }) => ({
    location_id: locationId,
    variant_id: variantId,
    price: formatted(price, decimals),
  }));
  const answer = await merchant(business)("PATCH", `/products/${product.id}`, {
    body: { price_overrides },
  });
  expect(answer.status).toBe(200);
  return { ...product, localPrices };
}

/** Creates monthly plans; two have a minimum quantity and a minimum order value. */
async function createBillingPlans(business: CreatedBusiness, decimals: number): Promise<Plan[]> {
  const terms = [
    { price: 1_105n, minQuantity: 1, minOrderValue: 0n },
    { price: 900n, minQuantity: 3, minOrderValue: 4_000n },
    { price: 955n, minQuantity: 2, minOrderValue: 1_000n },
  ];
  const plans: Plan[] = [];
  for (const { price, minQuantity, minOrderValue } of terms) {
    const body = {
      name: "Monthly",
      interval: "month",
      price: formatted(price, decimals),
      min_quantity: minQuantity,
      min_order_value: formatted(minOrderValue, decimals),
    };
    const { id } = createdData(await merchant(business)("POST", "/billing-plans", { body }));
    plans.push({ id: String(id), price, minQuantity, minOrderValue, isArchived: false });
  }
  return plans;
}

const modelOf = (stored: StoredProduct): Product => ({
  id: stored.id,
  name: stored.name,
  price: BigInt(stored.defaultPriceMinor),
  isActive: true,
  ...ungrouped,
  localPrices: stored.priceOverrides.map(({ priceMinor, ...where }) => ({
    ...where,
    price: BigInt(priceMinor),
  })),
  plans: [],
  stockTracking: stockTrackingOf(stored),
  bundle: [],
  composite: null,
  service: null,
  variants: stored.variants.map(({ id, name, isDefault, priceAdjustmentMinor }) => ({
    id,
    name,
    isDefault,
    adjustment: BigInt(priceAdjustmentMinor),
  })),
  groups: stored.addOns.map(({ isRequired, selectionType, options }) => ({
    isRequired,
    isSingle: selectionType === "single",
    options: options.map(({ id, priceMinor }) => ({ id, price: BigInt(priceMinor) })),
  })),
});

function stockTrackingOf({ inventoryType }: StoredProduct): Product["stockTracking"] {
  if (inventoryType === "tracked") return "by product";
  return inventoryType === "variant_level" ? "by variant" : "nowhere";
}
