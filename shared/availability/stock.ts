import type { InventoryType } from "../catalogue/index.ts";
import { availableOf } from "../inventory/index.ts";

type Level = Readonly<{
  itemId: string;
  locationId: string;
  quantityOnHand: number;
  quantityReserved: number;
}>;

/** Stock as it was read: of a product with everything that is counted of it, or of one variant. */
export type CountedStock = Readonly<{
  productId: string;
  inventoryType: InventoryType;
  /** The variant that was asked for; null when the product was. */
  variantId: string | null;
  activeVariantIds: readonly string[];
  levels: readonly Level[];
}>;

export type LocationStock = Readonly<{
  locationId: string;
  quantityOnHand: number;
  quantityReserved: number;
  quantityAvailable: number;
}>;

export type Stock = Readonly<{
  inventoryType: InventoryType;
  /** Null where pieces are not counted at this level (completions.md 9). */
  quantityOnHand: number | null;
  quantityAvailable: number | null;
  locations: readonly LocationStock[];
}>;

/** Where to look: everywhere, or at one of the business's locations. */
export type Place = Readonly<{ locationIds: readonly string[]; only: string | null }>;

export type Availability = Readonly<{
  isAvailable: boolean;
  quantityRequested: number;
  quantityAvailable: number | null;
}>;

/**
 * The pieces at the locations, a row for each, and their totals (interface.md, Inventory stock). A
 * variant of a product that is tracked as a whole has the product's. What is left at an archived
 * location cannot be sold, and is not counted.
 */
export function stockOf(counted: CountedStock, { locationIds, only }: Place): Stock {
  const { inventoryType } = counted;
  const itemId = countedItem(counted);
  if (itemId === null) {
    return { inventoryType, quantityOnHand: null, quantityAvailable: null, locations: [] };
  }
  const own = counted.levels.filter((level) => level.itemId === itemId);
  const locations = (only === null ? locationIds : [only]).map((id) => locationStock(own, id));
  return {
    inventoryType,
    quantityOnHand: locations.reduce((sum, { quantityOnHand }) => sum + quantityOnHand, 0),
    quantityAvailable: locations.reduce((sum, { quantityAvailable }) => sum + quantityAvailable, 0),
    locations,
  };
}

/**
 * Whether so many pieces can be had (interface.md, Inventory availability): always, where nothing is
 * counted; of a product that is counted per variant, when some active variant has as many.
 */
export function availabilityOf(
  counted: CountedStock,
  { quantity, place }: { quantity: number; place: Place },
): Availability {
  const { quantityAvailable } = stockOf(counted, place);
  const has = (stock: Stock) => (stock.quantityAvailable ?? 0) >= quantity;
  const isAvailable =
    counted.inventoryType === "none" ||
    (quantityAvailable === null
      ? counted.activeVariantIds.some((variantId) => has(stockOf({ ...counted, variantId }, place)))
      : quantityAvailable >= quantity);
  return { isAvailable, quantityRequested: quantity, quantityAvailable };
}

function countedItem({ inventoryType, productId, variantId }: CountedStock): string | null {
  switch (inventoryType) {
    case "none":
      return null;
    case "tracked":
      return productId;
    case "variant_level":
      return variantId;
  }
}

function locationStock(levels: readonly Level[], locationId: string): LocationStock {
  const level = levels.find((one) => one.locationId === locationId);
  const { quantityOnHand, quantityReserved } = level ?? nothing;
  const quantityAvailable = availableOf({ quantityOnHand, quantityReserved });
  return { locationId, quantityOnHand, quantityReserved, quantityAvailable };
}

const nothing = { quantityOnHand: 0, quantityReserved: 0 };
