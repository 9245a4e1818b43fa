import {
  actorName,
  type Db,
  findFailedConstraint,
  insertShardEvents,
  newEventRows,
  type ShardEventRow,
} from "../database/index.ts";
import { releaseRedemptionsOfOrders } from "../deals/index.ts";
import { releaseStockOfOrders } from "../inventory/index.ts";
import { cancelPayments, type Payment } from "../payments/index.ts";
import { cancelBookingsOfOrders } from "../scheduling/index.ts";
import { planSubscriptionsOnCancellation } from "../subscriptions/index.ts";
import { planBookingChanges } from "./bookings/plan-booking-changes.ts";
import { withPaymentCancelled } from "./cancel-order.ts";
import type { UnpaidCheck } from "./cancel-unpaid-order.ts";
import { cancelledOrderWrites } from "./cancelled-orders-repo.ts";
import { orderChanged } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent } from "./events.ts";
import { type Order, withOrderCancelled } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";

/** An order that `checkUnpaid` found to be unpaid, and the context of its business. */
export type UnpaidOrder = Readonly<{
  ctx: OrderContext;
  check: Extract<UnpaidCheck, { type: "unpaid" }>;
}>;

/** An order after its cancellation, with the events to emit. */
type CancelledOrder = Readonly<{
  ctx: OrderContext;
  before: OrderDetails;
  order: Order;
  payment: Payment;
  events: readonly ShardEventRow[];
}>;

/**
 * Cancels unpaid orders of a shard's businesses in one batch, with the same effects as
 * `cancelUnpaidOrder` has on each. The number of statements does not grow with the orders.
 *
 * @throws Refusal CONFLICT (retryable) when one of the orders changed meanwhile; none is cancelled.
 */
export async function cancelUnpaidOrders(
  db: Db,
  unpaid: readonly UnpaidOrder[],
  reason: string,
): Promise<void> {
  const [first] = unpaid;
  if (!first) return;
  const { actor, now } = first.ctx;
  const at = now();
  const cancelled = unpaid.map((one) => toCancelledOrder(one, { reason, at }));
  const records = cancelled.map(({ ctx, order }) => ({
    id: order.id,
    businessId: ctx.business.id,
    version: order.version,
    lowStockThreshold: ctx.business.settings.lowStockThreshold,
  }));
  const hasBookings = cancelled.some(({ before }) => before.bookings.length > 0);
  const hasDeals = cancelled.some(({ order }) => order.discounts.length > 0);
  const payments = cancelled.map(({ ctx, payment }) => ({ businessId: ctx.business.id, payment }));
  try {
    await db.batch([
      ...cancelledOrderWrites(db, records, { reason, at }),
      cancelPayments(db, payments),
      ...releaseStockOfOrders(db, records, { actor: actorName(actor), at }),
      ...(hasDeals ? releaseRedemptionsOfOrders(db, records) : []),
      ...(hasBookings ? cancelBookingsOfOrders(db, records, { reason, at }) : []),
      ...cancelled.flatMap(({ ctx, order }) => planSubscriptionsOnCancellation(ctx, order.lines)),
      insertShardEvents(
        db,
        cancelled.flatMap(({ events }) => events),
      ),
    ]);
  } catch (error) {
    throw findFailedConstraint(error) === "order_history.version" ? orderChanged() : error;
  }
  const contexts = new Map(cancelled.map(({ ctx }) => [ctx.business.id, ctx]));
  for (const ctx of contexts.values()) ctx.wakeOutboxWorker();
}

function toCancelledOrder(
  { ctx, check }: UnpaidOrder,
  { reason, at }: Readonly<{ reason: string; at: number }>,
): CancelledOrder {
  const before = check.details;
  const payment = withPaymentCancelled(before.payment, at);
  const order = {
    ...withOrderCancelled(before.order, reason, { at, by: "system" }),
    paymentStatus: payment.status,
  };
  const events = newEventRows(ctx, [
    ...check.events,
    orderEvent("order.cancelled", order),
    ...planBookingChanges(ctx, before, order).events,
  ]);
  return { ctx, before, order, payment, events };
}
