import { type ConstraintName, requiredPrefetch } from "../database/index.ts";
import type { Refusal } from "../kernel/index.ts";
import {
  checkSlot,
  findOccupancies,
  findSlotConflictRefusal,
  isSlotAvailable,
  occupancyRangeOfSlot,
  prefetchServices,
  slotOfferFor,
  withLineNames,
} from "../scheduling/index.ts";
import type { CheckoutPlan, PlacingReads, PlannedLine } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { hasRoundTripsLeft } from "./round-trip-budget.ts";

type FailedPlacing = Pick<PlacingReads, "services" | "replaced"> &
  Readonly<{ constraint: ConstraintName }>;

/**
 * The refusal when the batch failed because a slot is taken; it names the lines. Null when the
 * batch failed for another reason. With several booked lines, the taken slots are looked up if
 * enough round trips are left.
 */
export async function findSlotRefusal(
  ctx: CheckoutContext,
  plan: CheckoutPlan,
  { constraint, services, replaced }: FailedPlacing,
): Promise<Refusal | null> {
  const refusal = findSlotConflictRefusal(constraint);
  if (!refusal) return null;
  const booked = plan.lines.filter(({ configuration }) => configuration.slot);
  const canLookUp = booked.length > 1 && hasRoundTripsLeft(ctx, services ? 1 : 2);
  const taken = canLookUp
    ? await findTakenLines(ctx, plan, { lines: booked, services, replaced })
    : booked;
  // When no slot is found taken, it is free again or the lines conflict. Then all lines are named.
  const named = taken.length > 0 ? taken : booked;
  return withLineNames(
    refusal,
    named.map(({ snapshot }) => snapshot.name),
  );
}

async function findTakenLines(
  ctx: CheckoutContext,
  { bookings }: CheckoutPlan,
  {
    lines,
    services: prefetchedServices,
    replaced,
  }: Readonly<{ lines: readonly PlannedLine[] }> & Omit<FailedPlacing, "constraint">,
): Promise<PlannedLine[]> {
  const now = ctx.now();
  const replacedBookingIds = replaced.flatMap(({ details }) =>
    details.bookings.map(({ id }) => id),
  );
  const ids = lines.map(({ configuration }) => configuration.productId);
  const services = prefetchedServices ?? prefetchServices(ctx, ids);
  const products = await ctx.findProducts(
    ids,
    [],
    prefetchedServices ? [] : [requiredPrefetch(services.prefetch)],
  );
  const bookables = await services.find(products);
  const checks = lines.flatMap((line) => {
    const { productId, locationId, slot } = line.configuration;
    const bookable = bookables.get(productId);
    const own = bookings.find(({ booking }) => booking.lineItemId === line.orderLineId);
    if (!bookable || !slot || !own) return [];
    const choice = { variantId: line.snapshot.variantId, locationId, staffId: slot.staffId };
    const offer = slotOfferFor(bookable, choice, ctx.business);
    const range = occupancyRangeOfSlot(offer, slot.start);
    const window = { range, now, exceptIds: [own.holdId, ...replacedBookingIds] };
    return [{ line, offer, window, slot: { start: slot.start, participants: line.quantity, now } }];
  });
  const occupancies = await findOccupancies(ctx, checks);
  return checks.flatMap(({ line, offer, slot }, index) => {
    const occupancy = occupancies[index];
    return occupancy && !isSlotAvailable(checkSlot(offer, occupancy, slot)) ? [line] : [];
  });
}
