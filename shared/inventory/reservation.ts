import { availableOf, type StockLevel } from "./stock-level.ts";

/** Pieces to be held for an order at a location. */
export type Reservation = Readonly<{ itemId: string; locationId: string; quantity: number }>;

export type PlannedReservation =
  | Readonly<{ type: "planned"; reservations: readonly Reservation[] }>
  | Readonly<{ type: "short"; itemId: string; quantityAvailable: number }>;

/**
 * Where the wanted pieces are to be taken from: the preferred location first, then the one that has
 * most, so that an item comes from as few locations as may be.
 *
 * @param wanted pieces by item id.
 * @param tied how many of them come from the preferred location or not at all.
 */
export function planReservation(
  levels: readonly StockLevel[],
  wanted: ReadonlyMap<string, number>,
  preferredLocationId: string | null,
  tied: ReadonlyMap<string, number> = new Map(),
): PlannedReservation {
  const reservations: Reservation[] = [];
  for (const [itemId, quantity] of wanted) {
    const own = levels
      .filter((level) => level.itemId === itemId && availableOf(level) > 0)
      .toSorted(
        (a, b) =>
          rank(b) - rank(a) ||
          availableOf(b) - availableOf(a) ||
          (a.locationId < b.locationId ? -1 : 1),
      );
    const here = own.filter((level) => rank(level) > 0);
    if (available(here) < (tied.get(itemId) ?? 0)) {
      return { type: "short", itemId, quantityAvailable: available(here) };
    }
    if (available(own) < quantity) {
      return { type: "short", itemId, quantityAvailable: available(own) };
    }
    reservations.push(...taken(own, quantity));
  }
  return { type: "planned", reservations };

  function rank({ locationId }: StockLevel): number {
    return locationId === preferredLocationId ? 1 : 0;
  }
}

const available = (levels: readonly StockLevel[]): number =>
  levels.reduce((sum, level) => sum + availableOf(level), 0);

function taken(levels: readonly StockLevel[], quantity: number): Reservation[] {
  let left = quantity;
  return levels.flatMap((level) => {
    const { itemId, locationId } = level;
    const here = Math.min(left, availableOf(level));
    left -= here;
    return here > 0 ? [{ itemId, locationId, quantity: here }] : [];
  });
}
