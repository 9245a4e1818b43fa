import { type Business, isLocationOf } from "../businesses/index.ts";
import type { Product } from "../catalogue/index.ts";
import { Refusal } from "../kernel/index.ts";
import {
  type CartTotals,
  cartTotals,
  discountTotal,
  type LineConfiguration,
  type ProductSet,
  priceLine,
  type TaxRule,
} from "../pricing/index.ts";
import type { Cart, CartLine, LineSnapshot, LockedPrice } from "./cart.ts";
import { heldLock } from "./locked-price.ts";

/**
 * What a configuration costs now, or what a quote locks, and what it is called.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID (pricing).
 */
export function snapshotOf(
  products: ProductSet,
  configuration: LineConfiguration,
  { lock, now }: { lock: LockedPrice | null; now: number },
): LineSnapshot {
  const price = priceLine(products, configuration);
  const { product, variant } = price;
  const variantId = variant?.id ?? null;
  const { unitPriceMinor, parts } = heldLock(lock, { variantId, now }) ?? price;
  return {
    name: product.name,
    variantId,
    variantName: variant?.name ?? null,
    unitPriceMinor,
    parts,
    lock,
  };
}

/** Takes every line's price anew; a line that cannot be bought any more keeps its last one. */
export function repriced(cart: Cart, products: ProductSet, now: number): Cart {
  return { ...cart, lines: cart.lines.map((line) => refreshed(line, products, now)) };
}

/**
 * The lines that cannot be bought as they stand (completions.md 5, ITEM_UNAVAILABLE): what was chosen
 * has gone, or the location that it was to come from.
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

// What a line's price was last taken from. Products and lines never change, they are replaced: a line
// whose product is still the same has the price that it bears. Most of a long cart is spared by it.
const pricedFrom = new WeakMap<CartLine, Product>();

function refreshed(line: CartLine, products: ProductSet, now: number): CartLine {
  const product = products.get(line.configuration.productId);
  if (product && pricedFrom.get(line) === product) return line;
  const snapshot = currentSnapshot(line, products, now);
  if (snapshot === null) return line;
  const fresh = sameSnapshot(snapshot, line.snapshot) ? line : { ...line, snapshot };
  if (product && standsAlone(product, snapshot)) pricedFrom.set(fresh, product);
  return fresh;
}

/** Whether a price hangs on nothing but the product: no components, no promise that ends. */
const standsAlone = ({ bundle, composite }: Product, { lock }: LineSnapshot): boolean =>
  bundle === null && composite === null && lock === null;

function currentSnapshot(
  { configuration, snapshot }: CartLine,
  products: ProductSet,
  now: number,
): LineSnapshot | null {
  try {
    return snapshotOf(products, configuration, { lock: snapshot.lock, now });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const sameSnapshot = (a: LineSnapshot, b: LineSnapshot): boolean =>
  a.unitPriceMinor === b.unitPriceMinor &&
  a.name === b.name &&
  a.variantId === b.variantId &&
  a.variantName === b.variantName &&
  a.parts.length === b.parts.length &&
  a.parts.every(
    ({ name, amountMinor }, index) =>
      name === b.parts[index]?.name && amountMinor === b.parts[index].amountMinor,
  );

/** The totals at the prices that the lines bear. */
export const totalsOf = (cart: Cart, tax: TaxRule): CartTotals =>
  cartTotals({
    lines: cart.lines.map(({ quantity, snapshot }) => ({
      quantity,
      unitPriceMinor: snapshot.unitPriceMinor,
    })),
    discountMinor: discountTotal(cart.discounts),
    tax,
  });
