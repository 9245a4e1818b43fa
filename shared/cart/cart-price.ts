import { type Business, isLocationOf } from "../businesses/index.ts";
import { type Product, shownCompareAtPrice } from "../catalogue/index.ts";
import { Refusal } from "../kernel/index.ts";
import {
  type CartPrice,
  type CouponRejectionReason,
  calculateDiscounts,
  type DealTerms,
  describeLine,
  type LineConfiguration,
  linesRejection,
  type PricedLine,
  type ProductSet,
  priceLine,
  priceWithDiscounts,
  ratesOfTaxRule,
  standardTaxClass,
  type TaxRule,
  usageRejection,
} from "../pricing/index.ts";
import {
  type Cart,
  type CartCoupon,
  type CartLine,
  cartFits,
  type LineSnapshot,
  type LockedPrice,
} from "./cart.ts";
import type { CartContext, CartOffer } from "./context.ts";
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
    parts,
    details: describeLine(products, configuration, product),
    lock,
  };
}

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
  a.name === b.name &&
  a.variantId === b.variantId &&
  a.variantName === b.variantName &&
  a.parts.length === b.parts.length &&
  a.parts.every(
    ({ name, amountMinor }, index) =>
      name === b.parts[index]?.name && amountMinor === b.parts[index].amountMinor,
  ) &&
  JSON.stringify(a.details) === JSON.stringify(b.details);

/**
 * The price at the stored line prices and discounts.
 * @throws Refusal VALIDATION_ERROR for amounts too large to charge.
 */
export const cartPrice = ({ lines, discounts }: Cart, tax: TaxRule): CartPrice =>
  priceWithDiscounts({
    lines: lines.map(({ quantity, snapshot }) => ({
      taxClass: standardTaxClass,
      quantity,
      unitPriceMinor: snapshot.unitPriceMinor,
    })),
    delivery: null,
    discounts,
    tax: ratesOfTaxRule(tax),
  });

/** Recalculates the discounts and drops a coupon that no longer applies. */
export async function applyDeals(
  ctx: CartContext,
  cart: Cart,
  products: ProductSet,
): Promise<Cart> {
  const deals = await ctx.findDeals(couponCodeOf(cart));
  return withDiscounts(cart, { products, offer: deals, now: ctx.now() });
}

/** The cart with the discounts of these deals, without a coupon that no longer applies. */
export function withDiscounts(
  cart: Cart,
  { products, offer, now }: { products: ProductSet; offer: CartOffer; now: number },
): Cart {
  if (offer.automatic.length === 0 && offer.coupon === null) {
    return { ...cart, coupon: null, discounts: [] };
  }
  const lines = pricedLines(cart.lines, products);
  const keepsCoupon = cart.coupon !== null && couponRejection(offer.coupon, lines, now) === null;
  const coupon = keepsCoupon ? offer.coupon : null;
  return {
    ...cart,
    coupon: coupon && toCartCoupon(coupon),
    discounts: calculateDiscounts(
      { lines, delivery: null, now },
      { automatic: offer.automatic, coupons: coupon ? [coupon] : [] },
    ),
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
    taxClass: standardTaxClass,
    unitPriceMinor: snapshot.unitPriceMinor,
    quantity,
  }));

export const couponCodeOf = ({ coupon }: Cart): string | null => coupon?.code ?? null;

/** The cart without its coupon and the coupon's discount. */
export const withoutCoupon = (cart: Cart): Cart => ({
  ...cart,
  coupon: null,
  discounts: cart.discounts.filter(({ code }) => code === null),
});

export const toCartCoupon = ({ id, code, name, discount }: DealTerms): CartCoupon => ({
  dealId: id,
  code: code ?? "",
  name,
  discount,
});

// An empty cart keeps its coupon, although an empty cart never reaches the minimum subtotal.
const couponRejection = (
  coupon: DealTerms | null,
  lines: readonly PricedLine[],
  now: number,
): CouponRejectionReason | null =>
  lines.length === 0 ? usageRejection(coupon, now) : linesRejection(coupon, { lines, now });
