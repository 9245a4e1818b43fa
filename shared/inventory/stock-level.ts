/** Pieces of a product (tracked) or of a variant (variant_level) at one location. */
export type StockLevel = Readonly<{
  /** The product's id, or the variant's. */
  itemId: string;
  productId: string;
  locationId: string;
  quantityOnHand: number;
  quantityReserved: number;
  /** Null: the business's own holds. */
  lowStockThreshold: number | null;
  updatedAt: number;
}>;

type Quantities = Pick<StockLevel, "quantityOnHand" | "quantityReserved">;

/** What can still be sold; the schema sees to it that no more is reserved than is there. */
export const availableOf = ({ quantityOnHand, quantityReserved }: Quantities): number =>
  quantityOnHand - quantityReserved;

const thresholdOf = (
  { lowStockThreshold }: Pick<StockLevel, "lowStockThreshold">,
  { settings }: { settings: { lowStockThreshold: number } },
): number => lowStockThreshold ?? settings.lowStockThreshold;

/** Whether fewer pieces are available than the threshold (completions.md 9). */
export const isLow = (
  level: StockLevel,
  business: { settings: { lowStockThreshold: number } },
): boolean => availableOf(level) < thresholdOf(level, business);
