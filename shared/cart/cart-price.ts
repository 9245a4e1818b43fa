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
import { heldPrice } from "./locked-price.ts";

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
  const { product, variant, unitPriceMinor } = priceLine(products, configuration);
  const variantId = variant?.id ?? null;
  return {
    name: product.name,
    variantId,
    variantName: variant?.name ?? null,
    unitPriceMinor: heldPrice(lock, { variantId, now }) ?? unitPriceMinor,
    lock,
  };
}

/** Takes every line's price anew; a line that cannot be bought any more keeps its last one. */
export function repriced(cart: Cart, products: ProductSet, now: number): Cart {
  return { ...cart, lines: cart.lines.map((line) => refreshed(line, products, now)) };
}

/** The lines that cannot be bought as they stand (completions.md 5, ITEM_UNAVAILABLE). */
export const unavailableLines = (cart: Cart, products: ProductSet, now: number): CartLine[] =>
  cart.lines.filter((line) => currentSnapshot(line, products, now) === null);

function refreshed(line: CartLine, products: ProductSet, now: number): CartLine {
  const snapshot = currentSnapshot(line, products, now);
  return snapshot === null || sameSnapshot(snapshot, line.snapshot) ? line : { ...line, snapshot };
}

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
  a.variantName === b.variantName;

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
