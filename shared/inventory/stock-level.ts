import type { Context } from "../database/index.ts";

/** Quantities of a product (tracked) or of a variant (variant_level) at one location. */
export type StockLevel = Readonly<{
  /** Id of the product or of the variant. */
  itemId: string;
  productId: string;
  locationId: string;
  quantityOnHand: number;
  quantityReserved: number;
  /** When null, the business's default threshold is used. */
  lowStockThreshold: number | null;
  updatedAt: number;
}>;

/** What stock changes need: the business's locations and its default low-stock threshold. */
export type StockContext = Context &
  Readonly<{
    business: Readonly<{
      /** The locations that sell stock; archived locations are left out. */
      locations: readonly Readonly<{ id: string }>[];
      settings: Readonly<{ lowStockThreshold: number }>;
    }>;
  }>;

/** The quantity that can still be sold. A table constraint keeps it from becoming negative. */
export const availableQuantity = ({
  quantityOnHand,
  quantityReserved,
}: Pick<StockLevel, "quantityOnHand" | "quantityReserved">): number =>
  quantityOnHand - quantityReserved;

/**
 * Whether less is available than the threshold of the level, or the business's default threshold.
 */
export const isLowStock = (
  level: StockLevel,
  { settings }: { settings: { lowStockThreshold: number } },
): boolean => availableQuantity(level) < (level.lowStockThreshold ?? settings.lowStockThreshold);
