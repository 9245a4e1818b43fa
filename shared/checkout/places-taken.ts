import { needed } from "../catalogue/index.ts";
import type { Refusal } from "../kernel/index.ts";
import {
  aboutLines,
  checkSlot,
  findOccupancies,
  isAvailable,
  placeTakenIn,
  type SoughtServices,
  slotOffer,
  soughtServices,
  spanOfSlot,
} from "../scheduling/index.ts";
import type { Plan, PlannedLine } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import type { Replaced } from "./replaced-orders.ts";
import { mayAsk } from "./round-trips.ts";

type Failed = Readonly<{
  message: string;
  /** As the plan read them; null where this run did not make it. */
  services: SoughtServices | null;
  /** What gives its places back as the order is placed. */
  replaced: readonly Replaced[];
}>;

/**
 * The refusal for an order that failed on a place, naming the lines whose places are gone; null when
 * it failed on something else. Which they are is asked only where there is more than one, and the call
 * has the round trips for it.
 */
export async function placesTaken(
  ctx: CheckoutContext,
  plan: Plan,
  { message, services, replaced }: Failed,
): Promise<Refusal | null> {
  const refusal = placeTakenIn(message);
  if (!refusal) return null;
  const booked = plan.lines.filter(({ configuration }) => configuration.slot);
  const mayLook = booked.length > 1 && mayAsk(ctx, services ? 1 : 2);
  const taken = mayLook
    ? await takenAmong(ctx, plan, { lines: booked, services, replaced })
    : booked;
  const named = taken.length > 0 ? taken : booked; // all of them: it was free again, or they are in each other's way
  return aboutLines(
    refusal,
    named.map(({ snapshot }) => snapshot.name),
  );
}

async function takenAmong(
  ctx: CheckoutContext,
  { bookings = [] }: Plan,
  {
    lines,
    services,
    replaced,
  }: Readonly<{ lines: readonly PlannedLine[] }> & Omit<Failed, "message">,
): Promise<PlannedLine[]> {
  const now = ctx.now();
  const givenBack = replaced.flatMap(({ paid }) => paid.bookings.map(({ id }) => id));
  const ids = lines.map(({ configuration }) => configuration.productId);
  const sought = services ?? soughtServices(ctx, ids);
  const products = await ctx.findProducts(ids, null, services ? [] : sought.companions.map(needed));
  const bookables = await sought.find(products);
  const asked = lines.flatMap((line) => {
    const { productId, locationId, slot } = line.configuration;
    const bookable = bookables.get(productId);
    const own = bookings.find(({ booking }) => booking.lineItemId === line.orderLineId);
    if (!bookable || !slot || !own) return [];
    const wanted = { variantId: line.snapshot.variantId, locationId, staffId: slot.staffId };
    const offer = slotOffer(bookable, wanted, ctx.business);
    const within = { span: spanOfSlot(offer, slot.start), now, except: [own.holdId, ...givenBack] };
    return [{ line, offer, within, slot: { start: slot.start, participants: line.quantity, now } }];
  });
  const occupancies = await findOccupancies(ctx, asked);
  return asked.flatMap(({ line, offer, slot }, index) => {
    const occupancy = occupancies[index];
    return occupancy && !isAvailable(checkSlot(offer, occupancy, slot)) ? [line] : [];
  });
}
