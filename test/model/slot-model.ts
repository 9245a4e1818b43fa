/** A model of slots and their capacity (docs/contract/storefront.md#slots). */

import { day, hour, minute } from "../../shared/kernel/index.ts";
import type { Line } from "./cart-model.ts";

/** A service; slots may overlap when they start more often than they last. */
export type Service = Readonly<{
  /** The only location of the service. */
  locationId: string;
  /** The number of participants of a slot. */
  capacity: number;
  minutes: number;
  /** The minutes between the starts of slots. */
  every: number;
  /** The minutes after a slot during which no other may start. */
  buffer: number;
  /** Hours of the day in UTC. */
  opens: number;
  closes: number;
}>;

/** The participants of a booking. */
export type Booking = Readonly<{ productId: string; start: number; participants: number }>;

/** The lifetime of a slot hold. */
export const slotHoldTtlMs = 10 * minute;

export const slotEnd = ({ minutes }: Service, start: number): number => start + minutes * minute;

/** Whether a slot starts at this time and has not started yet. */
export function isSlot(service: Service, start: number, now: number): boolean {
  const opening = start - (start % day) + service.opens * hour;
  const closing = start - (start % day) + service.closes * hour;
  const isOnTime = (start - opening) % (service.every * minute) === 0;
  return now <= start && opening <= start && slotEnd(service, start) <= closing && isOnTime;
}

export const isHolding = ({ holdExpiresAt }: Pick<Line, "holdExpiresAt">, now: number): boolean =>
  holdExpiresAt !== null && now < holdExpiresAt;

/** Whether two slots overlap, including their buffers. */
function overlap(service: Service, one: number | null, other: number | null): boolean {
  const lasts = (service.minutes + service.buffer) * minute;
  return one !== null && other !== null && Math.abs(one - other) < lasts;
}

/** The participants of bookings and of other lines' holds at the time of a line's slot. */
export function participantsOfOthers(
  service: Service,
  { configuration: { productId, start } }: Line,
  { bookings, lines, now }: { bookings: readonly Booking[]; lines: readonly Line[]; now: number },
): number {
  const held = lines
    .filter((line) => isHolding(line, now))
    .map(({ configuration, quantity }) => ({ ...configuration, participants: quantity }));
  return [...bookings, ...held]
    .filter((one) => one.productId === productId && overlap(service, one.start, start))
    .reduce((total, { participants }) => total + participants, 0);
}
