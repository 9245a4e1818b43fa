/** Who holds an allocation: a cart line for a limited time (hold), or an order line (booking). */
export const slotAllocationKinds = ["hold", "booking"] as const;
export type SlotAllocationKind = (typeof slotAllocationKinds)[number];

/**
 * The longest time from the start of an allocation to the end of its buffer. The table has the same
 * CHECK.
 */
export const maxSlotAllocationMs = 8 * 24 * 60 * 60 * 1000;

/** The time and the capacity that a hold or a booking takes. */
export type SlotAllocation = Readonly<{
  serviceId: string;
  locationId: string;
  /**
   * The staff members who work at that time, in the service's order. The database assigns a free
   * one. Null when the service needs no staff.
   */
  staffIds: readonly string[] | null;
  resourceIds: readonly string[];
  participants: number;
  /** How many participants are allowed at the same time, by the variant or the service. */
  capacity: number;
  startsAt: number;
  endsAt: number;
  /** The end of the slot plus the service's buffer. Staff and resources are occupied until then. */
  occupiedUntil: number;
}>;

/** Whether two allocations overlap in time, buffers included. */
export const allocationsOverlap = (a: SlotAllocation, b: SlotAllocation): boolean =>
  a.startsAt < b.occupiedUntil && b.startsAt < a.occupiedUntil;
