import { commit } from "../database/index.ts";
import { conflict, type DomainEvent, Refusal } from "../kernel/index.ts";
import {
  afterCharge,
  type ChargeResult,
  isOpen,
  type Payment,
  paymentRepo,
} from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent, paymentEvent } from "./events.ts";
import { type Order, withPayment } from "./order.ts";
import { orderRepo, type PaidOrder } from "./repo.ts";

/**
 * Stores a payment that moved, with its order and the events of both, in one batch.
 *
 * @throws Refusal CONFLICT (retryable) when another change of the order came first.
 */
export async function recordPayment(
  ctx: OrderContext,
  before: PaidOrder,
  payment: Payment,
): Promise<PaidOrder> {
  if (payment.version === before.payment.version) return before;
  const order = withPayment(before.order, payment, {
    at: ctx.now(),
    by: "system",
    autoConfirm: ctx.business.settings.autoConfirm,
  });
  await commit(ctx, {
    writes: [...orderRepo(ctx).update(order), paymentRepo(ctx).update(payment)],
    events: eventsOf(before.order, order, payment),
    refusals: { "order_history.": changedMeanwhile },
  });
  return { order, payment };
}

const maxTries = 3;

/**
 * Stores what the provider said of a charge. When another change of the order comes first, the
 * provider's word still holds and is applied to what that one left.
 */
export async function recordCharge(
  ctx: OrderContext,
  before: PaidOrder,
  { result, reference }: { result: ChargeResult; reference: string },
): Promise<PaidOrder> {
  let paid = before;
  for (let tries = 1; counts(paid.payment, result); tries += 1) {
    try {
      return await recordPayment(
        ctx,
        paid,
        afterCharge({ ...paid.payment, reference }, result, ctx.now()),
      );
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "CONFLICT") || tries === maxTries)
        throw error;
      paid = await orderRepo(ctx).get(paid.order.id);
    }
  }
  return paid;
}

/** Money that arrives for a cancelled payment is still money: it stands there, to be refunded. */
const counts = (payment: Payment, result: ChargeResult): boolean =>
  isOpen(payment) || (payment.status === "cancelled" && result.type === "captured");

export const changedMeanwhile = () =>
  conflict("The order changed meanwhile; try again.", { retryable: true });

function eventsOf(before: Order, after: Order, payment: Payment): DomainEvent[] {
  const moved = before.status === after.status ? [] : [orderEvent("order.updated", after)];
  switch (payment.status) {
    case "captured":
      return [paymentEvent("payment.completed", payment), ...moved];
    case "failed":
      return [paymentEvent("payment.failed", payment), ...moved];
    default:
      return moved;
  }
}
