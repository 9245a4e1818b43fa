import { stockRepo } from "../inventory/index.ts";
import { ruleBroken } from "../kernel/index.ts";
import type { ProductSet } from "../pricing/index.ts";
import type { Cart, CartLine } from "./cart.ts";
import type { CartContext } from "./context.ts";
import { stockNeeds } from "./stock-needs.ts";

/**
 * Refuses (OUT_OF_STOCK) a line that asks for more than there is, counting what the rest of the
 * cart takes of the same; one round trip, and none where nothing is counted. What is reserved at
 * checkout decides: this only spares the shopper the disappointment.
 */
export async function demandStock(
  ctx: CartContext,
  cart: Cart,
  line: CartLine,
  products: ProductSet,
): Promise<void> {
  const items = [...stockNeeds([line], products).keys()];
  if (items.length === 0) return;
  const needs = stockNeeds(cart.lines, products);
  const available = await stockRepo(ctx).findAvailable(items);
  for (const item of items) {
    const left = available.get(item) ?? 0;
    if ((needs.get(item) ?? 0) > left) throw outOfStock(line.snapshot.name, left);
  }
}

export const outOfStock = (name: string, quantityAvailable: number) =>
  ruleBroken("OUT_OF_STOCK", `${name} is not available in this quantity.`, {
    quantity_available: quantityAvailable,
  });
