import type { Change } from "../database/index.ts";
import type { OfferedDeals } from "../deals/index.ts";
import {
  checkUnpaid,
  type OrderDetails,
  planUnpaidCancellation,
  type UnpaidCheck,
} from "../orders/index.ts";
import { isSettled } from "../payments/index.ts";
import type { CheckoutContext } from "./context.ts";

/** An unpaid order that another order replaces. The batch that places the new order cancels it. */
export type ReplacedOrder = Extract<UnpaidCheck, { type: "unpaid" }>;

/** The cancellation reason of a replaced order. */
export const replacementReason = "Replaced by another checkout.";

/** An earlier order of the cart was paid or accepted after all. No new order was placed. */
export class EarlierOrderSold extends Error {
  override readonly name = "EarlierOrderSold";
  readonly orderId: string;

  constructor(orderId: string) {
    super(`Order ${orderId} is the sale.`);
    this.orderId = orderId;
  }
}

/**
 * The orders that are still unpaid and can be cancelled. The payment provider is asked about each
 * order first, because a payment may have arrived late.
 *
 * @throws EarlierOrderSold when the payment arrived, or the business has accepted an order that is
 * paid by hand. Refusal SERVICE_UNAVAILABLE when the provider does not answer.
 */
export async function findReplacedOrders(
  ctx: CheckoutContext,
  orders: readonly OrderDetails[],
): Promise<readonly ReplacedOrder[]> {
  const checks = await Promise.all(orders.map((details) => checkUnpaid(ctx, details)));
  return checks.filter((check) => {
    if (check.type === "kept" && isSold(check.details)) {
      throw new EarlierOrderSold(check.details.order.id);
    }
    return check.type === "unpaid";
  });
}

/**
 * Whether an order was paid or accepted, so that its cart is finished. A cancelled order does not
 * count, because its payment is refunded.
 */
export const isSold = ({ order, payment }: Pick<OrderDetails, "order" | "payment">): boolean =>
  order.status !== "cancelled" && (isSettled(payment) || payment.status === "pending");

/**
 * The writes and events that cancel the replaced orders, for the batch that places the new order.
 */
export function cancellationOf(
  ctx: CheckoutContext,
  replaced: readonly ReplacedOrder[],
): Required<Change> {
  const changes = replaced.map((order) => planUnpaidCancellation(ctx, order, replacementReason));
  return {
    writes: changes.flatMap(({ writes }) => writes),
    events: changes.flatMap(({ events }) => events),
    audit: changes.flatMap(({ audit }) => audit),
    refusals: Object.assign({}, ...changes.map(({ refusals }) => refusals)),
  };
}

export const orderIdsOf = (replaced: readonly ReplacedOrder[]): string[] =>
  replaced.map(({ details }) => details.order.id);

/** The deals as if the replaced orders had not used them, because these orders are cancelled. */
export function withReturnedUses(
  offer: OfferedDeals,
  replaced: readonly ReplacedOrder[],
): OfferedDeals {
  const returnedDealIds = new Set(
    replaced.flatMap(({ details }) => details.order.discounts.map(({ dealId }) => dealId)),
  );
  if (returnedDealIds.size === 0) return offer;
  const withReturnedUse = <D extends OfferedDeals["automatic"][number]>(deal: D): D =>
    returnedDealIds.has(deal.id) ? { ...deal, timesRedeemed: deal.timesRedeemed - 1 } : deal;
  return {
    ...offer,
    automatic: offer.automatic.map(withReturnedUse),
    coupons: offer.coupons.map(withReturnedUse),
  };
}
