import type { ConstraintName, ConstraintRefusals } from "../../database/index.ts";
import { Refusal, ruleViolation } from "../../kernel/index.ts";
import type { SlotReason } from "./slot.ts";
import { slotHoldTtlMs } from "./slot-hold.ts";

const unavailableMessages: Readonly<Record<SlotReason, string>> = {
  OUTSIDE_HOURS: "There is no slot at this time. Choose one that GET /scheduling/slots lists.",
  TOO_SOON: "This time has passed or is too soon to be booked. Choose a later slot.",
  TOO_LATE: "This time is too far ahead to be booked. Choose an earlier slot.",
  FULLY_BOOKED: "This slot does not have enough capacity left. Choose another slot.",
  STAFF_UNAVAILABLE: "No staff member is free at this time. Choose another slot.",
};

/** SLOT_UNAVAILABLE, with the reason why the slot cannot be booked. */
export const slotUnavailable = (reason: SlotReason): Refusal =>
  ruleViolation("SLOT_UNAVAILABLE", unavailableMessages[reason], { reason });

export const isSlotUnavailable = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.context?.rule === "SLOT_UNAVAILABLE";

/** SLOT_INVALID: the requested times do not fit the booking. */
export const slotInvalid = (message: string): Refusal => ruleViolation("SLOT_INVALID", message);

/** Adds the names of the affected order lines to a refusal. */
export const withLineNames = (refusal: Refusal, names: readonly string[]): Refusal =>
  new Refusal({
    ...refusal.toData(),
    message: `${refusal.message} (${names.join(", ")})`,
    context: { ...refusal.context, items: [...names] },
  });

/**
 * The refusals for a batch that could not allocate a slot, by the name of the violated constraint
 * or trigger. The triggers belong to `slot_claims`. NOT NULL on `bookings.location_id` fails when
 * no staff member is free.
 */
export const slotConflictRefusals: ConstraintRefusals = {
  slot_over_capacity: () => slotUnavailable("FULLY_BOOKED"),
  slot_resource_taken: () => slotUnavailable("FULLY_BOOKED"),
  slot_staff_taken: () => slotUnavailable("STAFF_UNAVAILABLE"),
  "bookings.location_id": () => slotUnavailable("STAFF_UNAVAILABLE"),
};

/** The refusal for a failed batch. Null when the violated constraint is not about slots. */
export const findSlotConflictRefusal = (constraint: ConstraintName | null): Refusal | null =>
  (constraint && slotConflictRefusals[constraint]?.()) ?? null;

/**
 * The refusals of a hold that exceeds a limit of its session or network, by the column that
 * `slotHoldRepo` leaves empty for it.
 */
export const holdLimitRefusals = ({
  holdsPerSession,
  perAddress,
}: Readonly<{ holdsPerSession: number; perAddress: number }>): ConstraintRefusals => ({
  "slot_claims.claimed_at": () =>
    ruleViolation(
      "TOO_MANY_HOLDS",
      "The cart holds too many slots. Check out or remove one of them.",
      { scope: "session", limit: holdsPerSession },
    ),
  "slot_claims.participants": () =>
    ruleViolation(
      "TOO_MANY_HOLDS",
      "Too many slots are held from this network. Check out or remove one, or wait.",
      { scope: "address", limit: perAddress, retry_after_ms: slotHoldTtlMs },
    ),
});
