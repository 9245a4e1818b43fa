import type { InventoryType } from "../catalogue/index.ts";

/** A product that was viewed and can be bought, with its stock over all locations. */
export type StockedProduct = Readonly<{
  id: string;
  name: string;
  inventoryType: InventoryType;
  /** What is counted of it: itself, or each of its active variants. */
  items: readonly Readonly<{ available: number; threshold: number }>[];
}>;

/**
 * The pieces that are left of a product when what is counted of it is, every item, at or below its
 * threshold (completions.md 11, low_stock); null when there are enough, or nobody counts.
 */
export function piecesLeft({ inventoryType, items }: StockedProduct): number | null {
  if (inventoryType === "none" || items.length === 0) return null;
  if (items.some(({ available, threshold }) => available > threshold)) return null;
  return items.reduce((sum, { available }) => sum + available, 0);
}
