import { outOfStock } from "../cart/index.ts";
import { commit, messageOf } from "../database/index.ts";
import { usedUpIn } from "../deals/index.ts";
import { isShort, planReservation, stockRepo } from "../inventory/index.ts";
import { drawnNumber, isOrderedBefore, type PaidOrder } from "../orders/index.ts";
import { placeTakenIn } from "../scheduling/index.ts";
import { type Checkout, needsOf, type Plan, type Read, type Run } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { refitted } from "./pay-currency.ts";
import { placement } from "./placement.ts";
import { placesTaken } from "./places-taken.ts";
import { findReplaced, idsOf, type Replaced } from "./replaced-orders.ts";
import { mayAsk, overtaken, tripsToPlace } from "./round-trips.ts";
import { findStanding } from "./standing-repo.ts";
import { couponIn, customerKeyOf, withoutRefused, withoutUsedUp } from "./used-up-deals.ts";

/**
 * Places the order: its rows, its payment's, the reserved stock, the bookings of its lines, the claim
 * on its FX quote and the events, in one batch, with the end of the order that it takes the place of,
 * so that of the two one stands. Pieces come from wherever they are. An automatic deal that is used up
 * is left out, and the batch tried once more, as long as the call has the round trips for it
 * (architecture.md, Speed). A run that goes on looks for the order of an earlier one first, and so does
 * one whose cart's turn is taken: by a batch of its own or of an earlier checkout, which was on its way
 * while nobody was left to hear of it.
 *
 * @throws Refusal OUT_OF_STOCK, SLOT_UNAVAILABLE, COUPON_EXHAUSTED, FX_QUOTE_USED, FX_QUOTE_MISMATCH, or UNAUTHORIZED
 * when the customer's login has ended; SERVICE_UNAVAILABLE when others were faster to the end, CONFLICT
 * (retryable) when the replaced order changed meanwhile; and then nothing is there, and nothing has ended.
 */
export async function placeOrder(ctx: CheckoutContext, run: Run): Promise<Run> {
  if (run.read !== null) return placedNow(ctx, run, run.read);
  const found = await lookedFor(ctx, run);
  return found.type === "stands" ? found.run : placedNow(ctx, found.run, found.known);
}

/** As it was read for the plan, or of what an earlier run planned as far as it was read again. */
type Known = Omit<Read, "services"> & Readonly<{ services: Read["services"] | null }>;

type Found =
  /** The order stands since an earlier run. */
  | Readonly<{ type: "stands"; run: Run }>
  /** It is still to be placed, on what is known. */
  | Readonly<{ type: "missing"; run: Run; known: Known }>;

async function lookedFor(ctx: CheckoutContext, run: Run): Promise<Found> {
  const { plan, request } = run.checkout;
  const { paid, earlier, usedUp } = await findStanding(ctx, {
    orderId: plan.orderId,
    cartId: request.cartId,
    earlierIds: plan.replaces ?? [],
    customerKey: customerKeyOf(plan, request),
    couponCode: couponIn(plan),
  });
  if (paid) return { type: "stands", run: placedEarlier(run, paid) };
  const replaced = await findReplaced(ctx, earlier.orders);
  const checkout = await withoutUsedUp(ctx, run.checkout, { usedUp, replaced });
  return {
    type: "missing",
    run: { ...run, checkout },
    known: { services: null, replaced, turn: earlier.turn },
  };
}

async function placedNow(ctx: CheckoutContext, run: Run, known: Known): Promise<Run> {
  const first = await placed(ctx, run.checkout, known);
  switch (first.type) {
    case "placed":
      return { ...run, checkout: first.checkout };
    case "ordered_before": {
      demandTrips(ctx, run.checkout);
      const found = await lookedFor(ctx, run);
      return found.type === "stands" ? found.run : placedAgain(ctx, found.run, found.known);
    }
    case "failed": {
      const checkout = await mended(ctx, run.checkout, { ...known, message: first.message });
      return placedAgain(ctx, { ...run, checkout }, known);
    }
  }
}

/** The last try of a call. */
async function placedAgain(ctx: CheckoutContext, run: Run, known: Known): Promise<Run> {
  demandTrips(ctx, run.checkout);
  const second = await placed(ctx, run.checkout, known);
  if (second.type === "placed") return { ...run, checkout: second.checkout };
  if (second.type === "failed") {
    await mended(ctx, run.checkout, { ...known, message: second.message });
  }
  throw overtaken();
}

function demandTrips(ctx: CheckoutContext, checkout: Checkout): void {
  if (!mayAsk(ctx, tripsToPlace(ctx, checkout))) throw overtaken();
}

type Placed =
  | Readonly<{ type: "placed"; checkout: Checkout }>
  /** It stands already, or another order of its cart took its turn. */
  | Readonly<{ type: "ordered_before" }>
  /** On what others have by now: nothing was done. */
  | Readonly<{ type: "failed"; message: string }>;

async function placed(
  ctx: CheckoutContext,
  checkout: Checkout,
  known: Pick<Known, "replaced" | "turn">,
): Promise<Placed> {
  try {
    const results = await commit(ctx, await placement(ctx, checkout, known));
    return { type: "placed", checkout: { ...checkout, orderNumber: drawnNumber(results) } };
  } catch (error) {
    const message = messageOf(error);
    if (isShort(message) || usedUpIn(message) || placeTakenIn(message)) {
      return { type: "failed", message };
    }
    if (isOrderedBefore(message)) return { type: "ordered_before" };
    throw error;
  }
}

/** The checkout as it may be tried again. @throws the Refusal for what it failed on, where that stays as it is. */
async function mended(
  ctx: CheckoutContext,
  checkout: Checkout,
  { services, replaced, message }: Known & Readonly<{ message: string }>,
): Promise<Checkout> {
  const refused = usedUpIn(message);
  if (refused) return withoutRefused(ctx, checkout, { refused, replaced });
  if (isShort(message)) {
    await demandPieces(ctx, checkout.plan, replaced);
    return checkout;
  }
  throw (await placesTaken(ctx, checkout.plan, { message, services, replaced })) ?? overtaken();
}

/** The order stands since an earlier run, which may have left a deal out: its totals count. */
function placedEarlier(run: Run, paid: PaidOrder): Run {
  const { plan } = run.checkout;
  const { orderNumber, discounts, ...order } = paid.order;
  const { subtotalMinor, discountTotalMinor, taxTotalMinor, totalPriceMinor } = order;
  const totals = { subtotalMinor, discountTotalMinor, taxTotalMinor, totalPriceMinor };
  const fx = refitted(plan.fx, totalPriceMinor);
  return {
    ...run,
    paid,
    checkout: {
      ...run.checkout,
      plan: { ...plan, totals, discounts, fx },
      orderNumber,
      wasAsked: true,
    },
  };
}

/**
 * Says which pieces were too few; nothing where they are enough by now.
 *
 * @throws Refusal OUT_OF_STOCK naming the line, when all locations together have too few, or the
 * plan's own for the lines that name it; SERVICE_UNAVAILABLE when there is no round trip left to look.
 */
async function demandPieces(
  ctx: CheckoutContext,
  plan: Plan,
  replaced: readonly Replaced[],
): Promise<void> {
  if (!mayAsk(ctx, 1)) throw overtaken();
  const needs = needsOf(plan);
  const levels = await stockRepo(ctx).findLevels([...needs.keys()], idsOf(replaced));
  const planned = planReservation(levels, needs, plan.locationId, new Map(plan.tiedStock));
  if (planned.type === "planned") return;
  const line = plan.lines.find(
    ({ configuration, snapshot }) =>
      configuration.productId === planned.itemId || snapshot.variantId === planned.itemId,
  );
  throw outOfStock(line?.snapshot.name ?? "A part of the order", planned.quantityAvailable);
}
