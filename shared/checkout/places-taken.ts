import type { Refusal } from "../kernel/index.ts";
import {
  aboutLines,
  checkSlot,
  findOccupancies,
  isAvailable,
  placeTakenIn,
  slotOffer,
  soughtServices,
  spanOfSlot,
} from "../scheduling/index.ts";
import type { Plan, PlannedLine } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

/**
 * The refusal for an order that failed on a place, naming the lines whose places are gone; null when
 * it failed on something else. Which they are is asked only where there is more than one.
 */
export async function placesTaken(
  ctx: CheckoutContext,
  plan: Plan,
  message: string,
): Promise<Refusal | null> {
  const refusal = placeTakenIn(message);
  if (!refusal) return null;
  const booked = plan.lines.filter(({ configuration }) => configuration.slot);
  const taken = booked.length > 1 ? await takenAmong(ctx, plan, booked) : booked;
  const named = taken.length > 0 ? taken : booked; // all of them: it was free again, or they are in each other's way
  return aboutLines(
    refusal,
    named.map(({ snapshot }) => snapshot.name),
  );
}

async function takenAmong(
  ctx: CheckoutContext,
  { bookings = [] }: Plan,
  lines: readonly PlannedLine[],
): Promise<PlannedLine[]> {
  const now = ctx.now();
  const ids = lines.map(({ configuration }) => configuration.productId);
  const products = await ctx.findProducts(ids);
  const bookables = await soughtServices(ctx, ids).find(products);
  const asked = lines.flatMap((line) => {
    const { productId, locationId, slot } = line.configuration;
    const bookable = bookables.get(productId);
    const own = bookings.find(({ booking }) => booking.lineItemId === line.orderLineId);
    if (!bookable || !slot || !own) return [];
    const wanted = { variantId: line.snapshot.variantId, locationId, staffId: slot.staffId };
    const offer = slotOffer(bookable, wanted, ctx.business);
    const within = { span: spanOfSlot(offer, slot.start), now, except: own.holdId };
    return [{ line, offer, within, slot: { start: slot.start, participants: line.quantity, now } }];
  });
  const occupancies = await findOccupancies(ctx, asked);
  return asked.flatMap(({ line, offer, slot }, index) => {
    const occupancy = occupancies[index];
    return occupancy && !isAvailable(checkSlot(offer, occupancy, slot)) ? [line] : [];
  });
}
