import type { Change } from "../database/index.ts";
import type { Offer } from "../deals/index.ts";
import { endOfUnpaid, findUnpaid, type PaidOrder, type Unpaid } from "../orders/index.ts";
import { isSettled } from "../payments/index.ts";
import type { CheckoutContext } from "./context.ts";

/** An order that another takes the place of: it ends in the batch that places that one, or not at all. */
export type Replaced = Extract<Unpaid, { type: "unpaid" }>;

/** Why an order ends that another takes the place of. */
export const replacedReason = "Replaced by another checkout.";

/** The sale of an earlier checkout stands after all: nothing may take its place, and nothing was placed. */
export class EarlierStands extends Error {
  override readonly name = "EarlierStands";
  readonly orderId: string;

  constructor(orderId: string) {
    super(`Order ${orderId} is the sale.`);
    this.orderId = orderId;
  }
}

/**
 * Of the orders that a checkout takes the place of, those that are still to be ended: none of an order
 * that is over, or that waits for a human. The provider is asked first, since money that arrived late
 * must not be lost.
 *
 * @throws EarlierStands when the money arrived after all, or the business has taken up an order that is
 * to be paid to it by hand. Refusal SERVICE_UNAVAILABLE when the provider does not say.
 */
export async function findReplaced(
  ctx: CheckoutContext,
  orders: readonly PaidOrder[],
): Promise<readonly Replaced[]> {
  const found = await Promise.all(orders.map((paid) => findUnpaid(ctx, paid)));
  return found.filter((one) => {
    if (one.type === "stands" && isSale(one.paid)) throw new EarlierStands(one.paid.order.id);
    return one.type === "unpaid";
  });
}

/** Whether an order is a sale, which ends the cart: one that was cancelled is none, and its money goes back. */
export const isSale = ({ order, payment }: Pick<PaidOrder, "order" | "payment">): boolean =>
  order.status !== "cancelled" && (isSettled(payment) || payment.status === "pending");

/** The end of them all, for the batch that places the order which takes their place. */
export function endOfReplaced(
  ctx: CheckoutContext,
  replaced: readonly Replaced[],
): Required<Change> {
  const ends = replaced.map((one) => endOfUnpaid(ctx, one, replacedReason));
  return {
    writes: ends.flatMap(({ writes }) => writes),
    events: ends.flatMap(({ events }) => events),
    audit: ends.flatMap(({ audit }) => audit),
    refusals: Object.assign({}, ...ends.map(({ refusals }) => refusals)),
  };
}

export const idsOf = (replaced: readonly Replaced[]): string[] =>
  replaced.map(({ paid }) => paid.order.id);

/** The offer as it is once the uses of these orders are given back. */
export function withReturnedUses(offer: Offer, replaced: readonly Replaced[]): Offer {
  const returned = new Set(
    replaced.flatMap(({ paid }) => paid.order.discounts.map(({ dealId }) => dealId)),
  );
  if (returned.size === 0) return offer;
  const withReturned = <D extends Offer["automatic"][number]>(deal: D): D =>
    returned.has(deal.id) ? { ...deal, timesRedeemed: deal.timesRedeemed - 1 } : deal;
  return {
    ...offer,
    automatic: offer.automatic.map(withReturned),
    coupon: offer.coupon && withReturned(offer.coupon),
  };
}
