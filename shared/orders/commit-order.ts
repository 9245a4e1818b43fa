import {
  type AuditedChange,
  type Change,
  commit,
  type RecordedEvent,
  type Write,
} from "../database/index.ts";
import { conflict, Refusal, ruleBroken } from "../kernel/index.ts";
import { beyondPayment, type Payment, paymentRepo } from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import type { Order } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";
import { orderRepo } from "./repo.ts";
import { findRepeated } from "./request-key.ts";

/** An order's next version, and all that has to happen together with it. */
export type OrderChange = Readonly<{
  order: Order;
  payment?: Payment;
  writes?: readonly Write[];
  events: readonly RecordedEvent[];
  audit?: readonly AuditedChange[];
  /** The request that asks for it (`requestKey`), where a repeat is to be known. */
  requestKey?: string | null;
  /** What the constraints of `writes` are refused with. */
  refusals?: Readonly<Record<string, () => Refusal>>;
}>;

/**
 * Applies a change of an order in one batch, after which it is its only one from that version. Returns
 * the batch's results.
 *
 * @throws Refusal CONFLICT (retryable) when another change came first, REFUND_TOO_LARGE when a refund
 * among the writes is beyond the payment.
 */
export const commitOrder = (ctx: OrderContext, change: OrderChange): Promise<unknown[]> =>
  commit(ctx, batchOf(ctx, change));

/** The change as it goes into a batch with others, which is refused as `commitOrder` is. */
export function batchOf(
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
      "order_history.": changedMeanwhile,
      [beyondPayment]: refundTooLarge,
      ...refusals,
    },
  };
}

export const refundTooLarge = () =>
  ruleBroken("REFUND_TOO_LARGE", "That is more than is left of the payment.");

const changedMeanwhile = () =>
  conflict("The order changed meanwhile; try again.", { retryable: true });

/** Whether an earlier run of the same request changed the order. @throws Refusal as `findRepeated`. */
export const isRepeat = (
  ctx: Pick<OrderContext, "now">,
  { requests }: PaidOrder,
  requestKey: string | null,
): boolean => findRepeated(requests, { requestKey, now: ctx.now() }) !== undefined;

const maxTries = 5;

/** Runs a change of an order; when another comes first, again on what that one left. */
export async function onLatest<T>(
  ctx: OrderContext,
  paid: PaidOrder,
  change: (latest: PaidOrder) => Promise<T>,
): Promise<T> {
  let latest = paid;
  for (let tries = 1; ; tries += 1) {
    try {
      return await change(latest);
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.code === "CONFLICT" && error.retryable;
      if (!isOvertaken || tries === maxTries) throw error;
      latest = await orderRepo(ctx).get(paid.order.id);
    }
  }
}
