import type { TimeRange } from "./time-range.ts";

/**
 * Why a slot cannot be booked, in the order in which the reasons are checked
 * (docs/contract/storefront.md#slot-reasons).
 */
export const slotReasons = [
  "OUTSIDE_HOURS",
  "TOO_SOON",
  "TOO_LATE",
  "FULLY_BOOKED",
  "STAFF_UNAVAILABLE",
] as const;
export type SlotReason = (typeof slotReasons)[number];

/** A possible slot, with the result of a check for a number of participants. */
export type Slot = TimeRange &
  Readonly<{
    /**
     * The end of the slot plus the service's buffer. Staff and resources are occupied until then.
     */
    occupiedUntil: number;
    /**
     * How many more participants fit; 0 when full. Does not tell whether a staff member is free.
     */
    remainingCapacity: number;
    /** Null when the slot can be booked. */
    reason: SlotReason | null;
    /**
     * A free staff member. Null when the service needs no staff, or when the slot cannot be booked.
     */
    staffId: string | null;
  }>;

export const isSlotAvailable = ({ reason }: Slot): boolean => reason === null;
