import type { Context } from "../database/index.ts";

/** Quantities of a product (tracked) or of a variant (variant_level) at one location. */
export type StockLevel = Readonly<{
  /** Id of the product or of the variant. */
  itemId: string;
  productId: string;
  locationId: string;
  quantityOnHand: number;
  quantityReserved: number;
  /** Null uses the business's default threshold. */
  lowStockThreshold: number | null;
  updatedAt: number;
}>;

/** A context with the business's locations and its default low-stock threshold. */
export type StockContext = Context &
  Readonly<{
    business: Readonly<{
      /** The locations that stock is sold from, without archived ones. */
      locations: readonly Readonly<{ id: string }>[];
      settings: Readonly<{ lowStockThreshold: number }>;
    }>;
  }>;

/** The quantity that can still be sold; the schema keeps it from becoming negative. */
export const availableQuantity = ({
  quantityOnHand,
  quantityReserved,
}: Pick<StockLevel, "quantityOnHand" | "quantityReserved">): number =>
  quantityOnHand - quantityReserved;

/** Whether less is available than the level's threshold, or the business's when it has none. */
export const isLowStock = (
  level: StockLevel,
  { settings }: { settings: { lowStockThreshold: number } },
): boolean => availableQuantity(level) < (level.lowStockThreshold ?? settings.lowStockThreshold);
