import {
  cartProductIds,
  offerForCustomerGroups,
  outOfStock,
  refreshQuoteLocks,
} from "../../cart/index.ts";
import { type ConstraintName, commit, findFailedConstraint } from "../../database/index.ts";
import { exhaustedDealType } from "../../deals/index.ts";
import { findStockLevels, isStockShortage, planReservation } from "../../inventory/index.ts";
import { countEvent } from "../../kernel/index.ts";
import {
  chosenDeliveryOf,
  isDuplicateOrderError,
  type OrderDetails,
  orderNumberFrom,
  outdatedPriceConstraint,
} from "../../orders/index.ts";
import { totalsOf } from "../../pricing/index.ts";
import { findSlotConflictRefusal } from "../../scheduling/index.ts";
import { prefetchResumedPlacing } from "../cart-orders-query.ts";
import {
  type CheckoutPlan,
  type CheckoutRun,
  type PlacedCheckout,
  type PlacingReads,
  type PlannedCheckout,
  plannedCouponCodes,
  stockNeedsOf,
} from "../checkout.ts";
import type { CheckoutContext } from "../context.ts";
import { fxForTotal } from "../convert-currency.ts";
import { prefetchCurrentTerms } from "../order-terms.ts";
import { createPlacingBatch } from "../placing-batch.ts";
import {
  findReplacedOrders,
  orderIdsOf,
  type ReplacedOrder,
  withReturnedUses,
} from "../replaced-orders.ts";
import { plannedCart, repricePlan } from "../reprice-plan.ts";
import { hasRoundTripsLeft, outOfRoundTrips, roundTripsToPlace } from "../round-trip-budget.ts";
import { findSlotRefusal } from "../taken-slots.ts";
import {
  dealUserOf,
  limitedCouponIds,
  prefetchDealRights,
  type UsedUpDealIds,
  usedUpAfterFailure,
} from "../used-up-deals.ts";

/**
 * Places the order in one batch, which also cancels the orders it replaces. A run that resumes
 * first looks for the order of an earlier run, and prices the plan again if there is none. When the
 * batch fails because others were faster or a price changed, it is tried once more if the call has
 * the round trips left.
 *
 * @throws CartRefusal as `repricePlan`; Refusal OUT_OF_STOCK, SLOT_UNAVAILABLE, FX_QUOTE_USED,
 * FX_QUOTE_MISMATCH; UNAUTHORIZED when the customer's login has ended; SERVICE_UNAVAILABLE without a
 * try left; CONFLICT (retryable) when a replaced order changed. Then nothing was written.
 */
export async function placeOrder(
  ctx: CheckoutContext,
  run: CheckoutRun<PlannedCheckout>,
): Promise<CheckoutRun<PlacedCheckout>> {
  const { checkout, reads } = run;
  const placing = reads
    ? await placeOrRetry(ctx, { checkout, reads })
    : await resumeOrPlace(ctx, checkout, placeOrRetry);
  if (placing.isNewOrder) countEvent("orders_placed_total", { by: "checkout" });
  return { ...run, ...placing };
}

/** The checkout and the reads from which the batch is created. */
type PlacingAttempt = Readonly<{ checkout: PlannedCheckout; reads: PlacingReads }>;

/** The placed order, from this run or from an earlier one. */
type PlacedRun = Pick<CheckoutRun<PlacedCheckout>, "checkout" | "order" | "isNewOrder">;

/**
 * Takes the order of an earlier run if there is one. Otherwise places it at the prices of now, which
 * are read together with it in one round trip.
 */
async function resumeOrPlace(
  ctx: CheckoutContext,
  checkout: PlannedCheckout,
  place: (ctx: CheckoutContext, attempt: PlacingAttempt) => Promise<PlacedRun>,
): Promise<PlacedRun> {
  const { plan, request } = checkout;
  const couponCodes = plannedCouponCodes(plan);
  const resumed = prefetchResumedPlacing(ctx, {
    orderId: plan.orderId,
    cartId: request.cartId,
    earlierIds: plan.replaces,
    user: dealUserOf(plan, request),
    couponCodes,
  });
  const planned = plannedCart(checkout);
  const terms = prefetchCurrentTerms(ctx, {
    ...{ request, cart: planned, replaces: plan.replaces },
    customerId: plan.login?.customerId ?? null,
  });
  const { cart, loaded } = await refreshQuoteLocks(ctx, planned, (locks) =>
    ctx.readCatalogue(cartProductIds(planned), couponCodes, [
      ...[resumed, ...locks],
      ...terms.prefetches,
    ]),
  );
  const { order, cartOrders, rights } = await resumed.load();
  if (order) return { checkout: withPlacedOrder(checkout, order), order, isNewOrder: false };
  const replaced = await findReplacedOrders(ctx, cartOrders.orders);
  const { products } = loaded;
  const offer = withReturnedUses(offerForCustomerGroups(loaded.offer, rights.groupIds), replaced);
  const catalogue = { products, offer, ...(await terms.load()), at: ctx.now() };
  return place(ctx, {
    checkout: await repricePlan(ctx, { checkout, cart, catalogue, usedUp: rights.usedUp }),
    reads: { catalogue, services: null, replaced, turn: cartOrders.turn },
  });
}

async function placeOrRetry(ctx: CheckoutContext, attempt: PlacingAttempt): Promise<PlacedRun> {
  const result = await tryToPlace(ctx, attempt);
  switch (result.type) {
    case "placed":
      return result.placing;
    case "turn_taken":
      requireRoundTrips(ctx, attempt);
      return resumeOrPlace(ctx, attempt.checkout, placeOnce);
    case "prices_changed":
      if (!hasRoundTripsLeft(ctx, 1)) throw outOfRoundTrips();
      return resumeOrPlace(ctx, attempt.checkout, placeOnce);
    case "failed": {
      const checkout = await replanAfterFailure(ctx, attempt, result.constraint);
      return placeOnce(ctx, { ...attempt, checkout });
    }
  }
}

/** Tries to place the order for the last time in this request. */
async function placeOnce(ctx: CheckoutContext, attempt: PlacingAttempt): Promise<PlacedRun> {
  requireRoundTrips(ctx, attempt);
  const result = await tryToPlace(ctx, attempt);
  if (result.type === "placed") return result.placing;
  if (result.type === "failed") await replanAfterFailure(ctx, attempt, result.constraint);
  throw outOfRoundTrips();
}

function requireRoundTrips(ctx: CheckoutContext, { checkout }: PlacingAttempt): void {
  if (!hasRoundTripsLeft(ctx, roundTripsToPlace(ctx, checkout))) throw outOfRoundTrips();
}

type PlacingResult =
  | Readonly<{ type: "placed"; placing: PlacedRun }>
  /** The order is already placed, or the cart has another order with this number. */
  | Readonly<{ type: "turn_taken" }>
  /** What was priced is not what the database has now: nothing was written. */
  | Readonly<{ type: "prices_changed" }>
  /** Stock, a slot or a deal was gone: nothing was written. */
  | Readonly<{ type: "failed"; constraint: ConstraintName }>;

async function tryToPlace(
  ctx: CheckoutContext,
  { checkout, reads }: PlacingAttempt,
): Promise<PlacingResult> {
  try {
    const results = await commit(ctx, await createPlacingBatch(ctx, checkout, reads));
    const orderNumber = orderNumberFrom(results);
    const placed = { ...checkout, state: "placed", orderNumber } as const;
    return { type: "placed", placing: { checkout: placed, order: null, isNewOrder: true } };
  } catch (error) {
    const constraint = findFailedConstraint(error);
    if (constraint === null) throw error;
    if (isDuplicateOrderError(constraint)) return { type: "turn_taken" };
    if (constraint === outdatedPriceConstraint) return { type: "prices_changed" };
    const isTaken =
      isStockShortage(constraint) ||
      exhaustedDealType(constraint) !== null ||
      findSlotConflictRefusal(constraint) !== null;
    if (isTaken) return { type: "failed", constraint };
    throw error;
  }
}

/**
 * The checkout for a second try.
 *
 * @throws Refusal for the reason of the failure, when a second try would fail as well.
 */
async function replanAfterFailure(
  ctx: CheckoutContext,
  { checkout, reads }: PlacingAttempt,
  constraint: ConstraintName,
): Promise<PlannedCheckout> {
  const { services, replaced, catalogue } = reads;
  const exhausted = exhaustedDealType(constraint);
  if (exhausted !== null) {
    const usedUp =
      exhausted === "coupon"
        ? await findUsedUp(ctx, checkout, reads)
        : usedUpAfterFailure(checkout.plan, catalogue.offer);
    return repricePlan(ctx, { checkout, cart: plannedCart(checkout), catalogue, usedUp });
  }
  if (isStockShortage(constraint)) {
    await assertInStock(ctx, checkout.plan, replaced);
    return checkout;
  }
  const refusal = await findSlotRefusal(ctx, checkout.plan, { constraint, services, replaced });
  throw refusal ?? outOfRoundTrips();
}

/**
 * The deals that are used up once the placing batch has failed on a coupon. The batch does not say
 * on which, so several limited ones are read.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when no round trip is left to read them.
 */
async function findUsedUp(
  ctx: CheckoutContext,
  { plan, request }: PlannedCheckout,
  { catalogue, replaced }: PlacingReads,
): Promise<UsedUpDealIds> {
  const limited = limitedCouponIds(catalogue.offer);
  if (limited.size === 1) return new Set([...plan.usedUpDealIds, ...limited]);
  if (!hasRoundTripsLeft(ctx, 1)) throw outOfRoundTrips();
  const { usedUp } = await prefetchDealRights(ctx, {
    user: dealUserOf(plan, request),
    couponCodes: plannedCouponCodes(plan),
    releasedOrderIds: orderIdsOf(replaced),
  }).load();
  return usedUp;
}

/**
 * Updates the plan from the placed order. An earlier run may have placed the order without a deal,
 * so the order's totals are the right ones.
 */
function withPlacedOrder(checkout: PlannedCheckout, { order }: OrderDetails): PlacedCheckout {
  const { plan } = checkout;
  const { orderNumber, discounts, deliveryTotalMinor, taxLines, lines } = order;
  const lineTaxMinor = lines.map(({ taxMinor }) => taxMinor);
  const lineExemptedTaxMinor = lines.map(({ exemptedTaxMinor }) => exemptedTaxMinor);
  const fx = fxForTotal(plan.fx, order.totalPriceMinor);
  return {
    ...checkout,
    state: "placed",
    plan: {
      ...plan,
      totals: totalsOf(order),
      amounts: { deliveryTotalMinor, taxLines, lineTaxMinor, lineExemptedTaxMinor },
      delivery: chosenDeliveryOf(order),
      discounts,
      fx,
    },
    orderNumber,
  };
}

/**
 * Checks the stock again after a shortage; it may suffice now.
 *
 * @throws Refusal OUT_OF_STOCK naming the line, when all locations together have too little, or the
 * plan's location for lines that name it; SERVICE_UNAVAILABLE when no round trip is left.
 */
async function assertInStock(
  ctx: CheckoutContext,
  plan: CheckoutPlan,
  replaced: readonly ReplacedOrder[],
): Promise<void> {
  if (!hasRoundTripsLeft(ctx, 1)) throw outOfRoundTrips();
  const needs = stockNeedsOf(plan);
  const levels = await findStockLevels(ctx, [...needs.keys()], orderIdsOf(replaced));
  const reservation = planReservation(levels, needs, plan.locationId, new Map(plan.tiedStock));
  if (reservation.type === "planned") return;
  const line = plan.lines.find(
    ({ configuration, snapshot }) =>
      configuration.productId === reservation.itemId || snapshot.variantId === reservation.itemId,
  );
  throw outOfStock(line?.snapshot.name ?? "A part of the order", reservation.quantityAvailable);
}
