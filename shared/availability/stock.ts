import type { InventoryType } from "../catalogue/index.ts";
import { availableQuantity } from "../inventory/index.ts";

type ItemLevel = Readonly<{
  itemId: string;
  locationId: string;
  quantityOnHand: number;
  quantityReserved: number;
}>;

/** The stock rows of a product, or of one variant. */
export type ProductStock = Readonly<{
  productId: string;
  inventoryType: InventoryType;
  /** The requested variant; null when the product was requested. */
  variantId: string | null;
  activeVariantIds: readonly string[];
  levels: readonly ItemLevel[];
}>;

export type LocationStock = Readonly<{
  locationId: string;
  quantityOnHand: number;
  quantityReserved: number;
  quantityAvailable: number;
}>;

export type Stock = Readonly<{
  inventoryType: InventoryType;
  /** Null when stock is not tracked at this level. */
  quantityOnHand: number | null;
  quantityAvailable: number | null;
  locations: readonly LocationStock[];
}>;

/** The ids of all the business's locations. `only` restricts the result to one of them. */
export type StockLocations = Readonly<{ locationIds: readonly string[]; only: string | null }>;

export type Availability = Readonly<{
  isAvailable: boolean;
  quantityRequested: number;
  quantityAvailable: number | null;
}>;

/**
 * The stock at each location, and the totals. When a product's stock is not counted per variant,
 * each variant has the product's stock. Archived locations are left out, because they sell nothing.
 */
export function stockAt(stock: ProductStock, { locationIds, only }: StockLocations): Stock {
  const { inventoryType } = stock;
  const itemId = stockItemId(stock);
  if (itemId === null) {
    return { inventoryType, quantityOnHand: null, quantityAvailable: null, locations: [] };
  }
  const levels = stock.levels.filter((level) => level.itemId === itemId);
  const locations = (only === null ? locationIds : [only]).map((id) => locationStock(levels, id));
  return {
    inventoryType,
    quantityOnHand: locations.reduce((sum, { quantityOnHand }) => sum + quantityOnHand, 0),
    quantityAvailable: locations.reduce((sum, { quantityAvailable }) => sum + quantityAvailable, 0),
    locations,
  };
}

/**
 * Whether a quantity can be bought. Always true when stock is not tracked. When stock is counted
 * per variant, one active variant must have the whole quantity.
 */
export function availabilityOf(
  stock: ProductStock,
  { quantity, locations }: { quantity: number; locations: StockLocations },
): Availability {
  const { quantityAvailable } = stockAt(stock, locations);
  const hasEnough = (variantStock: Stock) => (variantStock.quantityAvailable ?? 0) >= quantity;
  const isAvailable =
    stock.inventoryType === "none" ||
    (quantityAvailable === null
      ? stock.activeVariantIds.some((variantId) =>
          hasEnough(stockAt({ ...stock, variantId }, locations)),
        )
      : quantityAvailable >= quantity);
  return { isAvailable, quantityRequested: quantity, quantityAvailable };
}

function stockItemId({ inventoryType, productId, variantId }: ProductStock): string | null {
  switch (inventoryType) {
    case "none":
      return null;
    case "tracked":
      return productId;
    case "variant_level":
      return variantId;
  }
}

function locationStock(levels: readonly ItemLevel[], locationId: string): LocationStock {
  const level = levels.find((candidate) => candidate.locationId === locationId);
  const { quantityOnHand, quantityReserved } = level ?? emptyLevel;
  const quantityAvailable = availableQuantity({ quantityOnHand, quantityReserved });
  return { locationId, quantityOnHand, quantityReserved, quantityAvailable };
}

const emptyLevel = { quantityOnHand: 0, quantityReserved: 0 };
