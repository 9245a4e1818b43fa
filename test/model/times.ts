/** When a service is given, and who has its places (completions.md 5 and 8). */
import type { Line } from "./cart-model.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A service whose slots follow each other, so that two overlap when they are one. */
export type Service = Readonly<{
  /** The one place where it is given. */
  locationId: string;
  /** How many participants a slot takes. */
  capacity: number;
  minutes: number;
  /** Hours of the day, at UTC. */
  opens: number;
  closes: number;
}>;

/** Places that a booking has for good. */
export type Booking = Readonly<{ productId: string; start: number; participants: number }>;

/** So long a line in a cart holds its places. */
export const holdMs = 10 * minute;

export const endOf = ({ minutes }: Service, start: number): number => start + minutes * minute;

/** Whether a slot begins then which has not begun yet. */
export function isSlot(service: Service, start: number, now: number): boolean {
  const opening = start - (start % day) + service.opens * hour;
  const closing = start - (start % day) + service.closes * hour;
  const isOnTime = (start - opening) % (service.minutes * minute) === 0;
  return now <= start && opening <= start && endOf(service, start) <= closing && isOnTime;
}

export const isHolding = ({ heldUntil }: Pick<Line, "heldUntil">, now: number): boolean =>
  heldUntil !== null && now < heldUntil;

/** How many places of a line's slot bookings and other lines' holds have taken. */
export function takenBeside(
  { configuration: { productId, start } }: Line,
  { bookings, lines, now }: { bookings: readonly Booking[]; lines: readonly Line[]; now: number },
): number {
  const held = lines
    .filter((line) => isHolding(line, now))
    .map(({ configuration, quantity }) => ({ ...configuration, participants: quantity }));
  return [...bookings, ...held]
    .filter((one) => one.productId === productId && one.start === start)
    .reduce((total, { participants }) => total + participants, 0);
}
