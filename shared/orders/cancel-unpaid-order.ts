import type { Change } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { afterCharge, isOpen, isSettled } from "../payments/index.ts";
import { demandAnswer, endOf, endOrder } from "./cancel-order.ts";
import { batchOf } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { paymentEvent } from "./events.ts";
import { isFinal } from "./order.ts";
import { recordCharge } from "./record-payment.ts";
import type { PaidOrder } from "./record-repo.ts";
import { heardOfPayment } from "./verify-payment.ts";

/** An order that may be given up, or that stands: paid, over, or taken up by a business that is to be paid by hand. */
export type Unpaid =
  | Readonly<{
      type: "unpaid";
      paid: PaidOrder;
      /** Of how its payment got to where it stands, which nobody was told of yet. */
      events: readonly DomainEvent[];
    }>
  | Readonly<{ type: "stands"; paid: PaidOrder }>;

/**
 * Gives up an order that nobody paid, also one that the business has moved on: its stock and the uses of
 * its deals go back, its payment ends. The provider is asked first, since money that arrived late must
 * not be lost; then the order stays, paid, or as it is when it was of another amount.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the provider does not say; CONFLICT (retryable) when another change of the order came first.
 */
export async function cancelUnpaidOrder(
  ctx: OrderContext,
  paid: PaidOrder,
  reason: string,
): Promise<PaidOrder> {
  const found = await findUnpaid(ctx, paid);
  if (found.type === "stands") return found.paid;
  return endOrder(ctx, found.paid, bySystem(reason), found.events);
}

/**
 * Whether an order can be given up, by the provider's own word: money that arrived is stored at once,
 * any other news with the end of the order.
 *
 * @throws Refusal SERVICE_UNAVAILABLE, as `cancelUnpaidOrder`.
 */
export async function findUnpaid(ctx: OrderContext, paid: PaidOrder): Promise<Unpaid> {
  const heard = demandAnswer(await heardOfPayment(ctx, paid));
  const isMoney = heard?.result.type === "captured";
  const known = isMoney ? await recordCharge(ctx, paid, heard) : paid;
  if (stands(known)) return { type: "stands", paid: known };
  if (!heard || isMoney || !isOpen(known.payment))
    return { type: "unpaid", paid: known, events: [] };
  const payment = afterCharge(known.payment, heard.result, ctx.now());
  const events = payment.status === "failed" ? [paymentEvent("payment.failed", payment)] : [];
  return { type: "unpaid", paid: { ...known, payment }, events };
}

/** The end of what `findUnpaid` found, for a batch that ends the order together with what else it does. */
export const endOfUnpaid = (
  ctx: OrderContext,
  { paid, events }: Extract<Unpaid, { type: "unpaid" }>,
  reason: string,
): Required<Change> => batchOf(ctx, endOf(ctx, paid, bySystem(reason), events).change);

const bySystem = (reason: string) => ({ reason, by: "system", requestKey: null }) as const;

/** Paid, over, or to be handed over to a business that has taken the order up. */
const stands = ({ order, payment }: PaidOrder): boolean =>
  isSettled(payment) ||
  payment.mismatch !== null ||
  isFinal(order) ||
  (payment.status === "pending" && order.status !== "pending");
