import { type Business, isLocationOf } from "../businesses/index.ts";
import {
  type Product,
  requiresShipping,
  shownCompareAtPrice,
  standardTaxClass,
} from "../catalogue/index.ts";
import { Refusal } from "../kernel/index.ts";
import {
  type CartPrice,
  calculateDiscounts,
  type DealTerms,
  describeLine,
  type LineConfiguration,
  linesRejection,
  type PricedLine,
  type ProductSet,
  priceLine,
  priceWithDiscounts,
  type TaxRule,
  usageRejection,
} from "../pricing/index.ts";
import { taxTreatmentOf } from "../tax/index.ts";
import {
  type Cart,
  type CartLine,
  cartFits,
  type LineSnapshot,
  type LockedPrice,
  type PlanTerms,
} from "./cart.ts";
import { couponRemoved } from "./cart-notice.ts";
import type { CartOffer } from "./context.ts";
import { findCoupon, toCartCoupon } from "./coupons/cart-coupons.ts";
import { validLock } from "./quote-lock.ts";

/**
 * The name, details and price of a configuration: the price that a valid lock fixes, otherwise the
 * current one.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID.
 */
export function lineSnapshot(
  products: ProductSet,
  configuration: LineConfiguration,
  { lock, now }: { lock: LockedPrice | null; now: number },
): LineSnapshot {
  const price = priceLine(products, configuration);
  const { product, variant } = price;
  const variantId = variant?.id ?? null;
  const { unitPriceMinor, parts } = validLock(lock, { variantId, now }) ?? price;
  return {
    name: product.name,
    variantId,
    variantName: variant?.name ?? null,
    unitPriceMinor,
    compareAtPriceMinor: shownCompareAtPrice(price.compareAtPriceMinor, unitPriceMinor),
    renewalPriceMinor: price.renewalPriceMinor,
    billingPlan: price.plan && planTerms(price.plan),
    taxClass: product.taxClass,
    requiresShipping: requiresShipping(product),
    parts,
    details: describeLine(products, configuration, product),
    lock,
  };
}

const planTerms = ({ name, interval, intervalCount, trialDays }: PlanTerms): PlanTerms => ({
  name,
  interval,
  intervalCount,
  trialDays,
});

/** The product ids of all lines, with duplicates. */
export const cartProductIds = (
  cart: Pick<Cart, "lines">,
  added?: Pick<LineConfiguration, "productId">,
): string[] => [
  ...cart.lines.map(({ configuration }) => configuration.productId),
  ...(added ? [added.productId] : []),
];

/**
 * Updates the prices of all lines. A line that can no longer be bought keeps its last price. Longer
 * names can make the cart too large: `assertCartFits`.
 */
export function repriceLines(cart: Cart, products: ProductSet, now: number): Cart {
  return { ...cart, lines: cart.lines.map((line) => repriceLine(line, products, now)) };
}

/**
 * As `repriceLines`, but a cart that becomes too large keeps its last prices, so that its lines can
 * be removed. Checkout refuses such a cart.
 */
export function repriceLinesThatFit(cart: Cart, products: ProductSet, now: number): Cart {
  const repriced = repriceLines(cart, products, now);
  return cartFits(repriced) ? repriced : cart;
}

/**
 * The lines that can no longer be bought, because their configuration or location no longer exists.
 */
export const unavailableLines = (
  cart: Cart,
  {
    products,
    business,
    now,
  }: { products: ProductSet; business: Pick<Business, "locations">; now: number },
): CartLine[] =>
  cart.lines.filter(
    (line) =>
      !isLocationOf(business, line.configuration.locationId) ||
      currentSnapshot(line, products, now) === null,
  );

// The product that each line was last priced with. Products and lines are immutable, so a line
// keeps its price while its product object is the same. This skips most lines of a long cart.
const pricedByProduct = new WeakMap<CartLine, Product>();

function repriceLine(line: CartLine, products: ProductSet, now: number): CartLine {
  const product = products.get(line.configuration.productId);
  if (product && pricedByProduct.get(line) === product) return line;
  const snapshot = currentSnapshot(line, products, now);
  if (snapshot === null) return line;
  const repriced = isSameSnapshot(snapshot, line.snapshot) ? line : { ...line, snapshot };
  if (product && dependsOnProductOnly(product, snapshot)) pricedByProduct.set(repriced, product);
  return repriced;
}

/** Whether a price depends only on the product. Prices of bundles, composites and quotes do not. */
const dependsOnProductOnly = ({ bundle, composite }: Product, { lock }: LineSnapshot): boolean =>
  bundle === null && composite === null && lock === null;

function currentSnapshot(
  { configuration, snapshot }: CartLine,
  products: ProductSet,
  now: number,
): LineSnapshot | null {
  try {
    return lineSnapshot(products, configuration, { lock: snapshot.lock, now });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const isSameSnapshot = (a: LineSnapshot, b: LineSnapshot): boolean =>
  a.unitPriceMinor === b.unitPriceMinor &&
  a.renewalPriceMinor === b.renewalPriceMinor &&
  (a.compareAtPriceMinor ?? null) === (b.compareAtPriceMinor ?? null) &&
  (a.taxClass ?? standardTaxClass) === (b.taxClass ?? standardTaxClass) &&
  a.requiresShipping === b.requiresShipping &&
  a.name === b.name &&
  a.variantId === b.variantId &&
  a.variantName === b.variantName &&
  a.parts.length === b.parts.length &&
  a.parts.every(
    ({ name, amountMinor }, index) =>
      name === b.parts[index]?.name && amountMinor === b.parts[index].amountMinor,
  ) &&
  JSON.stringify(a.billingPlan) === JSON.stringify(b.billingPlan) &&
  JSON.stringify(a.details) === JSON.stringify(b.details);

/**
 * The price at the stored line prices, discounts and taxes. `tax` is the business's own rate.
 * @throws Refusal VALIDATION_ERROR for amounts too large to charge.
 */
export const cartPrice = (cart: Cart, tax: TaxRule): CartPrice =>
  priceWithDiscounts({
    lines: cart.lines.map(({ quantity, snapshot }) => ({
      taxClass: taxClassOf(snapshot),
      quantity,
      unitPriceMinor: snapshot.unitPriceMinor,
    })),
    delivery: chargedDelivery(cart),
    discounts: cart.discounts,
    tax: taxTreatmentOf(cart.tax, tax),
  });

/** The delivery as far as it is charged: an empty cart keeps its choice and costs nothing. */
const chargedDelivery = ({ lines, delivery }: Pick<Cart, "lines" | "delivery">) =>
  lines.length === 0 ? null : delivery;

/** The cart with the discounts of these deals, without coupons that no longer apply. */
export function withDiscounts(
  cart: Cart,
  { products, offer, now }: { products: ProductSet; offer: CartOffer; now: number },
): Cart {
  const lines = pricedLines(cart.lines, products);
  const coupons = cart.coupons.flatMap(
    ({ code }) => applicableDeal(findCoupon(offer, code), lines, now) ?? [],
  );
  const removed = cart.coupons.filter(({ code }) => !findCoupon({ coupons }, code));
  const hasDeals = offer.automatic.length > 0 || coupons.length > 0;
  return {
    ...cart,
    coupons: coupons.map(toCartCoupon),
    discounts: hasDeals
      ? calculateDiscounts(
          { lines, delivery: chargedDelivery(cart), now },
          { automatic: offer.automatic, coupons },
        )
      : [],
    notices: removed.map(({ code }) => {
      const reason = linesRejection(findCoupon(offer, code), { lines, now });
      return couponRemoved(code, reason ?? "COUPON_INVALID");
    }),
  };
}

/**
 * The lines in the form in which discounts and taxes are calculated. A deleted product belongs to
 * no category or collection.
 */
export const pricedLines = (
  lines: readonly CartLine[],
  products: ProductSet,
): readonly PricedLine[] =>
  lines.map(({ configuration, quantity, snapshot }) => ({
    productId: configuration.productId,
    groupIds: products.get(configuration.productId)?.groupIds ?? [],
    taxClass: taxClassOf(snapshot),
    unitPriceMinor: snapshot.unitPriceMinor,
    quantity,
  }));

const taxClassOf = ({ taxClass = standardTaxClass }: LineSnapshot): string => taxClass;

// An empty cart keeps its coupons, although an empty cart never reaches the minimum subtotal.
function applicableDeal(
  deal: DealTerms | null,
  lines: readonly PricedLine[],
  now: number,
): DealTerms | null {
  const rejection =
    lines.length === 0 ? usageRejection(deal, now) : linesRejection(deal, { lines, now });
  return rejection === null ? deal : null;
}
