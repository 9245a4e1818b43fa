import { expect } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { NewProduct, Product as Stored } from "../../shared/catalogue/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { merchant } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import {
  bundleChoices,
  type Choice,
  compositeChoices,
  optionChoices,
  plainChoice,
  variantChoices,
} from "./choices.ts";
import { createdOf, givenBundle, givenComposite, givenServices } from "./composed-goods.ts";
import { nowhere, type Plan, type Product } from "./shop-model.ts";

/** A product, and what the shopper may choose of it: first what is plain, last what is refused. */
export type Good = Readonly<{ product: Product; choices: readonly Choice[] }>;

/** One product of every kind, in the minor units of whatever currency; some cost else at a location. */
export async function givenGoods(
  business: CreatedBusiness,
  { decimals, locations }: Readonly<{ decimals: number; locations: readonly string[] }>,
): Promise<Good[]> {
  const there = (priceMinor: number) => ({
    priceOverrides: [{ locationId: locations[1] ?? "", variantId: null, priceMinor }],
  });
  const plans = await givenPlans(business, decimals);
  const plain = await madeGood(business, {
    name: "Plain",
    defaultPriceMinor: 1_235,
    ...there(1_111),
    plans: plans.slice(0, 2),
  });
  const topped = await madeGood(business, {
    name: "Topped",
    defaultPriceMinor: 777,
    addOns: [toppings],
  });
  const sized = await pricedThere(
    business,
    await madeGood(business, {
      name: "Sized",
      defaultPriceMinor: 2_005,
      ...inSizes,
      ...there(2_490),
    }),
    decimals,
  );
  const both = await madeGood(business, {
    name: "Both",
    defaultPriceMinor: 1_010,
    ...inSizes,
    addOns: [milk, toppings],
    plans: plans.slice(2),
  });
  const tracked = await madeGood(business, {
    name: "Tracked",
    defaultPriceMinor: 450,
    ...there(399),
    inventoryType: "tracked",
  });
  const shirts = await pricedThere(
    business,
    await madeGood(business, {
      name: "Shirts",
      defaultPriceMinor: 3_333,
      inventoryType: "variant_level",
      ...inSizes,
      ...there(3_000),
    }),
    decimals,
  );
  const bundle = await givenBundle(business, decimals, [sized, tracked, shirts]);
  const composite = await givenComposite(business, decimals, tracked);
  const services = await givenServices(business, decimals, locations);
  return [
    { product: plain, choices: [plainChoice] },
    { product: tracked, choices: [plainChoice] },
    { product: topped, choices: optionChoices(topped, [[], [0], [1, 2], [0, 1, 2]]) },
    { product: sized, choices: variantChoices(sized) },
    { product: shirts, choices: variantChoices(shirts) },
    // Milk is one of the first two, and has to be chosen.
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

async function madeGood(
  business: CreatedBusiness,
  { plans = [], ...fields }: Partial<NewProduct> & { plans?: readonly Plan[] },
): Promise<Product> {
  const billingPlanIds = plans.map(({ id }) => id);
  return { ...modelOf(await givenProduct(business, { ...fields, billingPlanIds })), plans };
}

/** A size that has a price of its own where the product has one. */
async function pricedThere(
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

/** By the month; two for some pieces at least, and orders of more than these cost. */
async function givenPlans(business: CreatedBusiness, decimals: number): Promise<Plan[]> {
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
    const { id } = createdOf(await merchant(business)("POST", "/billing-plans", { body }));
    plans.push({ id: String(id), price, minQuantity, minOrderValue, isArchived: false });
  }
  return plans;
}

const modelOf = (stored: Stored): Product => ({
  id: stored.id,
  name: stored.name,
  price: BigInt(stored.defaultPriceMinor),
  isActive: true,
  ...nowhere,
  localPrices: stored.priceOverrides.map(({ priceMinor, ...where }) => ({
    ...where,
    price: BigInt(priceMinor),
  })),
  plans: [],
  counted: countedOf(stored),
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

function countedOf({ inventoryType }: Stored): Product["counted"] {
  if (inventoryType === "tracked") return "by product";
  return inventoryType === "variant_level" ? "by variant" : "nowhere";
}
