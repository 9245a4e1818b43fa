import {
  canonicalJson,
  invalid,
  type Patch,
  percentOf,
  requireChargeable,
} from "../../kernel/index.ts";
import { withLocationPrices } from "../location-prices.ts";
import {
  type Bundle,
  type BundleComponent,
  type BundlePricing,
  defaultVariantOf,
  type Product,
} from "../product.ts";
import type { ComponentProduct } from "./component-products.ts";

/** Pricing by a discount on the sum of the components. */
type DiscountPricing = Exclude<BundlePricing, { type: "fixed" }>;

type ProductPrices = Pick<Product, "defaultPriceMinor" | "priceOverrides">;

/** The discount on the sum of the components' prices; never more than that sum. */
export function bundleDiscount(pricing: DiscountPricing, sumMinor: number): number {
  const discountMinor =
    pricing.type === "percent_off" ? percentOf(sumMinor, pricing.percent) : pricing.amountMinor;
  return Math.min(discountMinor, Math.max(sumMinor, 0));
}

/**
 * Rejects a patch that sets the price of a discounted bundle, because its price is computed from
 * the components. The current price is accepted, because clients may send back what they read.
 *
 * @throws Refusal VALIDATION_ERROR for another price than the current one.
 */
export function assertNoOwnPrice(
  { pricing }: Pick<Bundle, "pricing">,
  patch: Patch<ProductPrices>,
  current: ProductPrices,
): void {
  if (pricing.type === "fixed") return;
  const reason = `follows from the components with ${pricing.type}`;
  const { defaultPriceMinor = current.defaultPriceMinor, priceOverrides = current.priceOverrides } =
    patch;
  if (defaultPriceMinor !== current.defaultPriceMinor) throw invalid("default_price", reason);
  if (canonicalJson(priceOverrides) !== canonicalJson(current.priceOverrides)) {
    throw invalid("price_overrides", reason);
  }
}

/**
 * A discounted bundle's prices: the default components' prices less the discount, also at each
 * location that overrides a component's price. The view `bundle_prices` computes the same in SQL.
 *
 * @throws Refusal VALIDATION_ERROR for a sum that is too large to charge.
 */
export function computedPrices(
  {
    components,
    pricing,
  }: Readonly<{ components: readonly BundleComponent[]; pricing: DiscountPricing }>,
  products: readonly ComponentProduct[],
): ProductPrices {
  const componentIds = new Set(components.map(({ productId }) => productId));
  const locationIds = products
    .filter(({ id }) => componentIds.has(id))
    .flatMap(({ priceOverrides }) => priceOverrides.map(({ locationId }) => locationId));
  const priceAt = (locationId: string | null) => {
    const sumMinor = components.reduce(
      (total, component) => total + componentPrice(component, products, locationId),
      0,
    );
    const chargeableMinor = requireChargeable(Math.max(sumMinor, 0), "components");
    return chargeableMinor - bundleDiscount(pricing, chargeableMinor);
  };
  return {
    defaultPriceMinor: priceAt(null),
    priceOverrides: [...new Set(locationIds)]
      .sort()
      .map((locationId) => ({ locationId, variantId: null, priceMinor: priceAt(locationId) })),
  };
}

/** Whether the bundle's price is computed from its components. */
export const hasComputedPrice = (
  bundle: Pick<Bundle, "components" | "pricing">,
): bundle is Readonly<{ components: Bundle["components"]; pricing: DiscountPricing }> =>
  bundle.pricing.type !== "fixed";

function componentPrice(
  { productId, defaultVariantId, quantity }: BundleComponent,
  products: readonly ComponentProduct[],
  locationId: string | null,
): number {
  const product = products.find(({ id }) => id === productId);
  if (!product) return 0;
  const { defaultPriceMinor, variants } = withLocationPrices(product, locationId);
  const variant =
    variants.find(({ id }) => id === defaultVariantId) ?? defaultVariantOf({ variants });
  return quantity * (defaultPriceMinor + (variant?.priceAdjustmentMinor ?? 0));
}
