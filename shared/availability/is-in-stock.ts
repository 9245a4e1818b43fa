import type { Product } from "../catalogue/index.ts";
import type { ProductSet } from "../pricing/index.ts";
import { easiestChoice } from "./easiest-choice.ts";
import { stockNeeds } from "./stock-needs.ts";

/**
 * Whether one piece can be had in some way that a shopper may choose, by what a cart's line of it
 * would take from stock: the product's own pieces, and those of a bundle or composite.
 *
 * @param available pieces by item id; an item that is nowhere is missing.
 */
export function isInStock(
  product: Product,
  products: ProductSet,
  available: ReadonlyMap<string, number>,
): boolean {
  const configuration = easiestChoice(product, products, available);
  if (!configuration) return false;
  const { variantId } = configuration;
  const needs = stockNeeds([{ configuration, quantity: 1, snapshot: { variantId } }], products);
  return [...needs].every(([itemId, quantity]) => (available.get(itemId) ?? 0) >= quantity);
}
