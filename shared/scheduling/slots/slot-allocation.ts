/** An allocation belongs to a cart line for a while (a hold), or to a booking of an order line. */
export const slotAllocationKinds = ["hold", "booking"] as const;
export type SlotAllocationKind = (typeof slotAllocationKinds)[number];

/** The longest time an allocation may occupy, buffer included; the table's CHECK enforces it too. */
export const maxSlotAllocationMs = 8 * 24 * 60 * 60 * 1000;

/** The time and capacity that a hold or a booking takes up. */
export type SlotAllocation = Readonly<{
  serviceId: string;
  locationId: string;
  /**
   * The staff members who work at that time, in the service's order; the database assigns one who is
   * free. Null when the service needs none.
   */
  staffIds: readonly string[] | null;
  resourceIds: readonly string[];
  participants: number;
  /** The most participants at the same time, by the variant or the service. */
  capacity: number;
  startsAt: number;
  endsAt: number;
  /** The end of the slot plus the service's buffer, until when staff and resources are occupied. */
  occupiedUntil: number;
}>;

/** Whether two allocations overlap in time, buffers included. */
export const allocationsOverlap = (a: SlotAllocation, b: SlotAllocation): boolean =>
  a.startsAt < b.occupiedUntil && b.startsAt < a.occupiedUntil;
