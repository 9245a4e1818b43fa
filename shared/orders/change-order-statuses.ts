import { commit, retryOnConflict } from "../database/index.ts";
import { fulfilStock } from "../inventory/index.ts";
import { notFound, type Refusal } from "../kernel/index.ts";
import { bookingRepo } from "../scheduling/index.ts";
import { isRepeat, orderChanged } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent } from "./events.ts";
import { findTransitionRefusal, type Order, type OrderStatus, withStatus } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { changedStatusWrites } from "./order-status-repo.ts";
import { orderRepo } from "./repo.ts";

/** The statuses that several orders can get at once. Cancelling also refunds, one order at a time. */
export const bulkStatuses = [
  "confirmed",
  "preparing",
  "ready",
  "completed",
] as const satisfies readonly OrderStatus[];

type BulkStatusInput = Readonly<{
  status: (typeof bulkStatuses)[number];
  /** The key that identifies a repeated request (`toRequestKey`). */
  requestKey: string | null;
}>;

/** What became of one order. `refusal` says why its status was not changed. */
export type StatusChangeResult = Readonly<{
  orderId: string;
  /** The status that the order has now; null for an unknown order. */
  status: OrderStatus | null;
  refusal: Refusal | null;
}>;

/**
 * Changes the status of several orders like `changeOrderStatus`, in one batch. An order that may not
 * have the status keeps its own, and the others change. The number of statements does not grow with
 * the orders.
 */
export function changeOrderStatuses(
  ctx: OrderContext,
  orderIds: readonly string[],
  input: BulkStatusInput,
): Promise<readonly StatusChangeResult[]> {
  return retryOnConflict(async () => {
    const details = await orderRepo(ctx).listByIds(orderIds);
    const byId = new Map(details.map((one) => [one.order.id, one]));
    const isChangeable = (one: OrderDetails) =>
      !isRepeat(ctx, one, input.requestKey) && !findTransitionRefusal(one.order, input.status);
    await commitStatus(ctx, details.filter(isChangeable), input);
    return orderIds.map((orderId) => resultFor(ctx, { orderId, before: byId.get(orderId) }, input));
  });
}

function resultFor(
  ctx: OrderContext,
  { orderId, before }: Readonly<{ orderId: string; before: OrderDetails | undefined }>,
  { status, requestKey }: BulkStatusInput,
): StatusChangeResult {
  if (!before) return { orderId, status: null, refusal: notFound("order") };
  const { order } = before;
  if (isRepeat(ctx, before, requestKey)) return { orderId, status: order.status, refusal: null };
  const refusal = findTransitionRefusal(order, status);
  return { orderId, status: refusal ? order.status : status, refusal };
}

/** @throws Refusal CONFLICT (retryable) when one of the orders changed meanwhile; none is changed. */
async function commitStatus(
  ctx: OrderContext,
  details: readonly OrderDetails[],
  { status, requestKey }: BulkStatusInput,
): Promise<void> {
  if (details.length === 0) return;
  const at = ctx.now();
  const changes = details.map(({ order: before, bookings }) => ({
    before,
    bookings,
    after: withStatus(before, status, { at, by: "business" }),
  }));
  const orders = changes.map(({ after }) => after);
  const withPendingBookings = changes
    .filter(({ bookings }) => bookings.some((booking) => booking.status === "pending"))
    .map(({ after }) => after);
  const eventType = status === "completed" ? "order.completed" : "order.updated";
  await commit(ctx, {
    writes: [
      ...changedStatusWrites(ctx, orders, requestKey),
      ...(status === "completed" ? fulfilStock(ctx, idsOf(orders)) : []),
      ...(withPendingBookings.length > 0
        ? [bookingRepo(ctx).confirmAll(idsOf(withPendingBookings), at)]
        : []),
    ],
    events: orders.map((order) => orderEvent(eventType, order)),
    audit: changes.map(({ before, after }) => ({
      action: "order.status_changed",
      entity: after.id,
      before: { status: before.status },
      after: { status },
    })),
    refusals: { "order_history.version": orderChanged },
  });
}

const idsOf = (orders: readonly Order[]): readonly string[] => orders.map(({ id }) => id);
