/** When a service is given, and who has its places (completions.md 5 and 8). */
import type { Line } from "./cart-model.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A service; from the beginning of one slot to that of the next may be less than it lasts. */
export type Service = Readonly<{
  /** The one place where it is given. */
  locationId: string;
  /** How many participants a slot takes. */
  capacity: number;
  minutes: number;
  /** How many minutes after each other slots begin. */
  every: number;
  /** How many minutes nobody else is taken after it. */
  buffer: number;
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
  const isOnTime = (start - opening) % (service.every * minute) === 0;
  return now <= start && opening <= start && endOf(service, start) <= closing && isOnTime;
}

export const isHolding = ({ heldUntil }: Pick<Line, "heldUntil">, now: number): boolean =>
  heldUntil !== null && now < heldUntil;

/** Whether two slots overlap, their buffers included. */
function overlap(service: Service, one: number | null, other: number | null): boolean {
  const lasts = (service.minutes + service.buffer) * minute;
  return one !== null && other !== null && Math.abs(one - other) < lasts;
}

/** How many participants bookings and other lines' holds have at the time of a line's slot. */
export function takenBeside(
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
