import {
  type AuditedChange,
  type Change,
  type ConstraintRefusals,
  commit,
  type RecordedEvent,
  retryOnConflict,
  type Write,
} from "../database/index.ts";
import { conflict, ruleViolation } from "../kernel/index.ts";
import { type Payment, paymentRepo, refundLimitConstraint } from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import type { Order } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { orderRepo } from "./repo.ts";
import { findEarlierRequest } from "./request-key.ts";

/** An order's next version, and everything to commit with it. */
export type OrderChange = Readonly<{
  order: Order;
  payment?: Payment;
  writes?: readonly Write[];
  events: readonly RecordedEvent[];
  audit?: readonly AuditedChange[];
  /** The key of the request (`toRequestKey`), stored so that a repeat is recognised. */
  requestKey?: string | null;
  /** The refusal to throw for each constraint that `writes` may violate. */
  refusals?: ConstraintRefusals;
}>;

/**
 * Commits a change of an order in one batch and returns the batch's results. Of two concurrent
 * changes to the same version, the second fails with CONFLICT.
 *
 * @throws Refusal CONFLICT (retryable) when another change came first, REFUND_TOO_LARGE when a
 *   refund among the writes exceeds the payment.
 */
export const commitOrder = (ctx: OrderContext, change: OrderChange): Promise<unknown[]> =>
  commit(ctx, orderChangeBatch(ctx, change));

/** Returns the change as a part of a larger batch, with the refusals of `commitOrder`. */
export function orderChangeBatch(
  ctx: OrderContext,
  { order, payment, writes = [], events, audit = [], requestKey = null, refusals }: OrderChange,
): Required<Change> {
  return {
    writes: [
      ...orderRepo(ctx).update(order, requestKey),
      ...(payment ? [paymentRepo(ctx).update(payment)] : []),
      ...writes,
    ],
    events,
    audit,
    refusals: {
      "order_history.version": orderChanged,
      [refundLimitConstraint]: refundTooLarge,
      ...refusals,
    },
  };
}

export const refundTooLarge = () =>
  ruleViolation("REFUND_TOO_LARGE", "The amount exceeds what is left of the payment.");

export const orderChanged = () =>
  conflict("The order changed meanwhile; try again.", { retryable: true });

/**
 * Whether an earlier call with the same request key changed the order.
 *
 * @throws Refusal as `findEarlierRequest`.
 */
export const isRepeat = (
  ctx: Pick<OrderContext, "now">,
  { requests }: OrderDetails,
  requestKey: string | null,
): boolean => findEarlierRequest(requests, { requestKey, now: ctx.now() }) !== undefined;

/**
 * Runs a change of an order. When a concurrent change came first, the order is read again and the
 * change is repeated.
 */
export function retryOrderChange<T>(
  ctx: OrderContext,
  details: OrderDetails,
  change: (latest: OrderDetails) => Promise<T>,
): Promise<T> {
  return retryOnConflict(async (attempt) =>
    change(attempt === 1 ? details : await orderRepo(ctx).get(details.order.id)),
  );
}
