/** A level of an item that an order has reserved, at any location. */
export type ShippableLevel = Readonly<{
  itemId: string;
  locationId: string;
  /** The units that this order has reserved there. */
  reserved: number;
  /** The units there that nobody has reserved. */
  available: number;
}>;

/** What a shipment takes from a level: units on hand, and units that the order has reserved. */
export type ShippedStock = Readonly<{
  itemId: string;
  locationId: string;
  onHand: number;
  reserved: number;
}>;

/**
 * Decides which levels a shipment's units leave. They leave its own location as far as the order
 * has reserved them there, and otherwise the locations where they are reserved. A shipment from
 * another location than the order's also takes unreserved units there and releases reserved ones
 * elsewhere. At most what is reserved leaves, so that no unit leaves twice.
 *
 * @param needs the units of each item in the shipment.
 */
export function planShippedStock(
  needs: ReadonlyMap<string, number>,
  levels: readonly ShippableLevel[],
  { locationId, isOtherLocation }: Readonly<{ locationId: string; isOtherLocation: boolean }>,
): ShippedStock[] {
  return [...needs].flatMap(([itemId, quantity]) => {
    const ofItem = levels.filter((level) => level.itemId === itemId);
    const own = ofItem.find((level) => level.locationId === locationId);
    const others = ofItem
      .filter((level) => level.locationId !== locationId && level.reserved > 0)
      .toSorted((a, b) => b.reserved - a.reserved || (a.locationId < b.locationId ? -1 : 1));
    const fromOwn = Math.min(quantity, own?.reserved ?? 0);
    const elsewhere = takeInOrder(others, quantity - fromOwn);
    const reservedElsewhere = elsewhere.reduce((sum, { quantity: taken }) => sum + taken, 0);
    const unreserved = isOtherLocation ? Math.min(reservedElsewhere, own?.available ?? 0) : 0;
    const shipped = [
      { itemId, locationId, onHand: fromOwn + unreserved, reserved: fromOwn },
      ...releaseFirst(elsewhere, unreserved).map((taken) => ({ itemId, ...taken })),
    ];
    return shipped.filter(({ onHand, reserved }) => onHand > 0 || reserved > 0);
  });
}

type TakenUnits = Readonly<{ locationId: string; quantity: number }>;

function takeInOrder(levels: readonly ShippableLevel[], quantity: number): TakenUnits[] {
  let missing = quantity;
  return levels.map(({ locationId, reserved }) => {
    const taken = Math.min(missing, reserved);
    missing -= taken;
    return { locationId, quantity: taken };
  });
}

/** The reserved units that are taken; the first ones are only released and stay on hand. */
function releaseFirst(taken: readonly TakenUnits[], quantity: number) {
  let left = quantity;
  return taken.map(({ locationId, quantity: reserved }) => {
    const released = Math.min(left, reserved);
    left -= released;
    return { locationId, onHand: reserved - released, reserved };
  });
}
