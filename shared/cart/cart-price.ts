import { Refusal } from "../kernel/index.ts";
import {
  type CartTotals,
  cartTotals,
  type LineConfiguration,
  type ProductSet,
  priceLine,
  type TaxRule,
} from "../pricing/index.ts";
import type { Cart, CartLine, LineSnapshot } from "./cart.ts";

/**
 * What a configuration costs now, and what it is called.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID (pricing).
 */
export function snapshotOf(products: ProductSet, configuration: LineConfiguration): LineSnapshot {
  const { product, variant, unitPriceMinor } = priceLine(products, configuration);
  return {
    name: product.name,
    variantId: variant?.id ?? null,
    variantName: variant?.name ?? null,
    unitPriceMinor,
  };
}

/** Takes every line's price anew; a line that cannot be bought any more keeps its last one. */
export function repriced(cart: Cart, products: ProductSet): Cart {
  return { ...cart, lines: cart.lines.map((line) => refreshed(line, products)) };
}

/** The lines that cannot be bought as they stand (completions.md 5, ITEM_UNAVAILABLE). */
export const unavailableLines = (cart: Cart, products: ProductSet): CartLine[] =>
  cart.lines.filter((line) => currentSnapshot(line, products) === null);

function refreshed(line: CartLine, products: ProductSet): CartLine {
  const snapshot = currentSnapshot(line, products);
  return snapshot === null || sameSnapshot(snapshot, line.snapshot) ? line : { ...line, snapshot };
}

function currentSnapshot(line: CartLine, products: ProductSet): LineSnapshot | null {
  try {
    return snapshotOf(products, line.configuration);
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
    discountMinor: 0,
    tax,
  });
