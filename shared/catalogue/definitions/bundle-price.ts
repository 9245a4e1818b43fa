import { canonicalJson, chargeable, invalid, type Patch, percentOf } from "../../kernel/index.ts";
import { atLocation } from "../at-location.ts";
import type { Bundle, BundleComponent, BundlePricing, Product } from "../product.ts";
import { standardVariant } from "../standard-variant.ts";
import type { ComponentParts } from "./component-parts.ts";

/** A price that follows from the parts. */
type Computed = Exclude<BundlePricing, { type: "fixed" }>;

type Prices = Pick<Product, "defaultPriceMinor" | "priceOverrides">;

/** What is taken off the sum of the parts, at most all of it. */
export function discountOf(pricing: Computed, sumMinor: number): number {
  const off =
    pricing.type === "percent_off" ? percentOf(sumMinor, pricing.percent) : pricing.amountMinor;
  return Math.min(off, Math.max(sumMinor, 0));
}

/**
 * Refuses (VALIDATION_ERROR) a price of its own for a bundle whose price follows from its parts:
 * nobody would be charged it. The price that it shows may be said again, as a record that was read is.
 */
export function demandNoOwnPrice(
  { pricing }: Pick<Bundle, "pricing">,
  sent: Patch<Prices>,
  shown: Prices,
): void {
  if (pricing.type === "fixed") return;
  const reason = `follows from the components with ${pricing.type}`;
  const { defaultPriceMinor = shown.defaultPriceMinor, priceOverrides = shown.priceOverrides } =
    sent;
  if (defaultPriceMinor !== shown.defaultPriceMinor) throw invalid("default_price", reason);
  if (canonicalJson(priceOverrides) !== canonicalJson(shown.priceOverrides)) {
    throw invalid("price_overrides", reason);
  }
}

/**
 * What a bundle of such a price shows, of its standard parts and the discount taken off: nowhere in
 * particular, and at each location that prices one of them. `bundle_prices` in the database says the
 * same, and keeps it so when a part's price changes.
 *
 * @throws Refusal VALIDATION_ERROR beyond any amount that can be charged.
 */
export function shownPrices(
  { components, pricing }: Readonly<{ components: readonly BundleComponent[]; pricing: Computed }>,
  { products }: ComponentParts,
): Prices {
  const held = new Set(components.map(({ productId }) => productId));
  const places = products
    .filter(({ id }) => held.has(id))
    .flatMap(({ priceOverrides }) => priceOverrides.map(({ locationId }) => locationId));
  const priceAt = (locationId: string | null) => {
    const sum = components.reduce(
      (total, component) => total + partPrice(component, products, locationId),
      0,
    );
    const wholeMinor = chargeable(Math.max(sum, 0), "components");
    return wholeMinor - discountOf(pricing, wholeMinor);
  };
  return {
    defaultPriceMinor: priceAt(null),
    priceOverrides: [...new Set(places)]
      .sort()
      .map((locationId) => ({ locationId, variantId: null, priceMinor: priceAt(locationId) })),
  };
}

/** Whether the price follows from the parts. */
export const isComputed = (
  bundle: Pick<Bundle, "components" | "pricing">,
): bundle is Readonly<{ components: Bundle["components"]; pricing: Computed }> =>
  bundle.pricing.type !== "fixed";

function partPrice(
  { productId, defaultVariantId, quantity }: BundleComponent,
  products: ComponentParts["products"],
  locationId: string | null,
): number {
  const product = products.find(({ id }) => id === productId);
  if (!product) return 0;
  const { defaultPriceMinor, variants } = atLocation(product, locationId);
  const standard =
    variants.find(({ id }) => id === defaultVariantId) ?? standardVariant({ variants });
  return quantity * (defaultPriceMinor + (standard?.priceAdjustmentMinor ?? 0));
}
