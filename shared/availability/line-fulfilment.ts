import { requiresShipping } from "../catalogue/index.ts";
import type { ProductSet } from "../pricing/index.ts";
import { type StockLine, stockNeeds } from "./stock-needs.ts";

/** How the units of an order line leave the business. */
export type LineFulfilment = Readonly<{
  requiresShipping: boolean;
  /** What one unit takes from stock, by item. */
  stockPerUnit: readonly (readonly [itemId: string, quantity: number])[];
}>;

/** What an order stores of a line, so that later changes of the product do not affect it. */
export function lineFulfilment(
  { configuration, snapshot }: Omit<StockLine, "quantity">,
  products: ProductSet,
): LineFulfilment {
  const product = products.get(configuration.productId);
  return {
    requiresShipping: product === undefined || requiresShipping(product),
    stockPerUnit: [...stockNeeds([{ configuration, snapshot, quantity: 1 }], products)],
  };
}
