import { minute, Refusal, ruleBroken } from "../../kernel/index.ts";
import { longestWindowDays } from "../services/service.ts";
import { nothingClaimed } from "./occupancy.ts";
import { isAvailable, type SlotOffer, type SlotReason } from "./slot.ts";
import { checkSlot } from "./slots.ts";

/** What somebody who is there takes up: of whom, where, when, and of what. */
export type Place = Readonly<{
  serviceId: string;
  locationId: string;
  /** Who works then and may give it, in the service's order: the database takes one who is free; null: it needs nobody. */
  staffIds: readonly string[] | null;
  resourceIds: readonly string[];
  participants: number;
  /** Of the service or the variant: no more may be there at once. */
  capacity: number;
  startsAt: number;
  endsAt: number;
  /** The end and its buffer. */
  occupiedUntil: number;
}>;

/** So long a line in a cart keeps its place (completions.md 8). */
export const holdMs = 10 * minute;

/** An offer to whoever may have held its slot until now: the notice was kept when they took it. */
export const heldUntilNow = (offer: SlotOffer): SlotOffer => ({
  ...offer,
  service: {
    ...offer.service,
    minNoticeMinutes: Math.max(0, offer.service.minNoticeMinutes - holdMs / minute),
  },
});

/** An offer to the business itself: how soon and how far ahead a slot is booked is a rule for shoppers. */
export const offerToBusiness = (offer: SlotOffer): SlotOffer => ({
  ...offer,
  service: { ...offer.service, minNoticeMinutes: 0, bookingWindowDays: longestWindowDays },
});

/**
 * The place that a slot of an offer takes, as far as hours, notice and the booking window allow it.
 * Whether it is free is for the database to say when it is claimed.
 *
 * @throws Refusal SLOT_UNAVAILABLE with the reason of a slot check (completions.md 8).
 */
export function wantedPlace(
  offer: SlotOffer,
  asked: { start: number; participants: number; now: number },
): Place {
  const slot = checkSlot(offer, nothingClaimed, asked);
  if (slot.reason !== null) throw slotUnavailable(slot.reason);
  const works = (member: NonNullable<SlotOffer["staff"]>[number]) =>
    isAvailable(checkSlot({ ...offer, staff: [member] }, nothingClaimed, asked));
  return {
    serviceId: offer.service.id,
    locationId: offer.location.id,
    staffIds: offer.staff?.filter(works).map(({ id }) => id) ?? null,
    resourceIds: offer.resources.map(({ id }) => id),
    participants: asked.participants,
    capacity: offer.capacity,
    startsAt: slot.start,
    endsAt: slot.end,
    occupiedUntil: slot.occupiedUntil,
  };
}

/** 422 SLOT_UNAVAILABLE, with the reason of a slot check. */
export const slotUnavailable = (reason: SlotReason): Refusal =>
  ruleBroken("SLOT_UNAVAILABLE", unavailable[reason], { reason });

/** Whether it was refused because others have the place. */
export const isSlotUnavailable = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.context?.rule === "SLOT_UNAVAILABLE";

/** Whether two places share a moment, be it in their buffers. */
export const overlap = (one: Place, other: Place): boolean =>
  one.startsAt < other.occupiedUntil && other.startsAt < one.occupiedUntil;

/** The same, naming the lines that it is about. */
export const aboutLines = (refusal: Refusal, names: readonly string[]): Refusal =>
  new Refusal({
    ...refusal.toData(),
    message: `${refusal.message} (${names.join(", ")})`,
    context: { ...refusal.context, items: [...names] },
  });

const unavailable: Readonly<Record<SlotReason, string>> = {
  OUTSIDE_HOURS: "There is no slot at this time.",
  TOO_SOON: "This time is over, or too soon to be booked.",
  TOO_LATE: "This time is too far ahead to be booked yet.",
  FULLY_BOOKED: "There are not enough places left at this time.",
  STAFF_UNAVAILABLE: "Nobody who gives this is free at this time.",
};

/** 422 SLOT_INVALID: times that are no slot of what is booked. */
export const slotInvalid = (message: string) => ruleBroken("SLOT_INVALID", message);

/**
 * Why a place cannot be claimed, by what its batch fails on: the triggers of `slot_claims`, and the
 * booking that finds no staff member for its place. For `refusals` of `commit`.
 */
export const placeTaken = {
  slot_over_capacity: () => slotUnavailable("FULLY_BOOKED"),
  slot_resource_taken: () => slotUnavailable("FULLY_BOOKED"),
  slot_staff_taken: () => slotUnavailable("STAFF_UNAVAILABLE"),
  "bookings.location_id": () => slotUnavailable("STAFF_UNAVAILABLE"),
} as const;

/** The refusal for a batch that failed on a place; null when it failed on something else. */
export const placeTakenIn = (message: string): Refusal | null =>
  Object.entries(placeTaken).find(([name]) => message.includes(name))?.[1]() ?? null;
