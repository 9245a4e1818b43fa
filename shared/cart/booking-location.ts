import { defaultVariantOf } from "../catalogue/index.ts";
import {
  checkSlot,
  emptyOccupancy,
  findOccupancies,
  isSlotAvailable,
  isSlotUnavailable,
  occupancyRangeOfSlot,
  type SlotOffer,
  slotOffersFor,
} from "../scheduling/index.ts";
import type { CartContext } from "./context.ts";
import type { RequestedBooking } from "./slot-hold.ts";

/** How many locations are tried when others take the slot at the same time. */
const maxTriedLocations = 3;

type LocationContext = Pick<CartContext, "db" | "business" | "now">;

type LocationRequest = Readonly<{
  variantId: string | null;
  /** The location that the item or its quote names; null for any. */
  locationId: string | null;
  /** The location that the cart's other lines name; null when none does. */
  cartLocationId: string | null;
  participants: number;
}>;

/**
 * The locations at which to book a service, the best first: the named one, otherwise those where the
 * slot is free, the default location first. Costs a round trip only when several are open then.
 *
 * @throws Refusal as `slotOffersFor`.
 */
export async function findBookingLocations(
  ctx: LocationContext,
  { bookable, start, slot: { staffId } }: RequestedBooking,
  { locationId, cartLocationId, participants, ...request }: LocationRequest,
): Promise<readonly string[]> {
  const variantId = request.variantId ?? defaultVariantOf(bookable.product)?.id ?? null;
  const offers = slotOffersFor(bookable, { variantId, locationId, staffId }, ctx.business);
  const ofCart = offers.filter(({ location }) => location.id === cartLocationId);
  const candidates = ofCart.length > 0 ? ofCart : offers;
  const [onlyOne, ...others] = candidates;
  if (onlyOne && others.length === 0) return [onlyOne.location.id];
  const now = ctx.now();
  const query = { start, participants, now };
  const open = candidates.filter((offer) =>
    isSlotAvailable(checkSlot(offer, emptyOccupancy, query)),
  );
  const free = open.length > 1 ? await filterFree(ctx, open, query) : open;
  // Without a free location the first one is tried, which tells the reason.
  const chosen = free.length > 0 ? free : [...open, ...candidates].slice(0, 1);
  return chosen.slice(0, maxTriedLocations).map(({ location }) => location.id);
}

async function filterFree(
  ctx: LocationContext,
  offers: readonly SlotOffer[],
  query: Readonly<{ start: number; participants: number; now: number }>,
): Promise<SlotOffer[]> {
  const { start, now } = query;
  const requests = offers.map((offer) => ({
    offer,
    window: { range: occupancyRangeOfSlot(offer, start), now },
  }));
  const occupancies = await findOccupancies(ctx, requests);
  return offers.filter((offer, index) =>
    isSlotAvailable(checkSlot(offer, occupancies[index] ?? emptyOccupancy, query)),
  );
}

/**
 * Books at the first of the service's locations that still takes the slot. Another shopper may take
 * it in between; the next free location is then tried.
 *
 * @throws Refusal as `findBookingLocations` and `bookAt`.
 */
export async function bookAtFreeLocation<T>(
  ctx: LocationContext,
  booking: RequestedBooking,
  request: LocationRequest,
  bookAt: (locationId: string) => Promise<T>,
): Promise<T> {
  const locationIds = await findBookingLocations(ctx, booking, request);
  const last = locationIds.at(-1) ?? "";
  for (const locationId of locationIds.slice(0, -1)) {
    try {
      return await bookAt(locationId);
    } catch (error) {
      if (!isSlotUnavailable(error)) throw error;
    }
  }
  return bookAt(last);
}
