import { availableQuantity, type StockLevel } from "./stock-level.ts";

/** Units of an item that are reserved for an order at a location. */
export type StockReservation = Readonly<{ itemId: string; locationId: string; quantity: number }>;

export type ReservationPlan =
  | Readonly<{ type: "planned"; reservations: readonly StockReservation[] }>
  | Readonly<{ type: "short"; itemId: string; quantityAvailable: number }>;

/**
 * Allocates required quantities to locations: first the preferred location, then the locations with
 * the most stock. In this way an item comes from few locations.
 *
 * @param required quantities by item id.
 * @param preferredOnly the part of each quantity that may only come from the preferred location.
 */
export function planReservation(
  levels: readonly StockLevel[],
  required: ReadonlyMap<string, number>,
  preferredLocationId: string | null,
  preferredOnly: ReadonlyMap<string, number> = new Map(),
): ReservationPlan {
  const reservations: StockReservation[] = [];
  for (const [itemId, quantity] of required) {
    const candidates = levels
      .filter((level) => level.itemId === itemId && availableQuantity(level) > 0)
      .toSorted(
        (a, b) =>
          Number(isPreferred(b)) - Number(isPreferred(a)) ||
          availableQuantity(b) - availableQuantity(a) ||
          (a.locationId < b.locationId ? -1 : 1),
      );
    const availableAtPreferred = totalAvailable(candidates.filter(isPreferred));
    if (availableAtPreferred < (preferredOnly.get(itemId) ?? 0)) {
      return { type: "short", itemId, quantityAvailable: availableAtPreferred };
    }
    const availableAnywhere = totalAvailable(candidates);
    if (availableAnywhere < quantity) {
      return { type: "short", itemId, quantityAvailable: availableAnywhere };
    }
    reservations.push(...allocate(candidates, quantity));
  }
  return { type: "planned", reservations };

  function isPreferred({ locationId }: StockLevel): boolean {
    return locationId === preferredLocationId;
  }
}

const totalAvailable = (levels: readonly StockLevel[]): number =>
  levels.reduce((sum, level) => sum + availableQuantity(level), 0);

/** Takes the quantity from the levels in the given order. */
function allocate(levels: readonly StockLevel[], quantity: number): StockReservation[] {
  let missing = quantity;
  return levels.flatMap((level) => {
    const { itemId, locationId } = level;
    const taken = Math.min(missing, availableQuantity(level));
    missing -= taken;
    return taken > 0 ? [{ itemId, locationId, quantity: taken }] : [];
  });
}
