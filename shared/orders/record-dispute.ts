import { retryOnConflict } from "../database/index.ts";
import { unavailable } from "../kernel/index.ts";
import type { Dispute } from "../payments/index.ts";
import { commitOrder } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { disputeEvent } from "./events.ts";
import { nextVersion } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { orderRepo } from "./repo.ts";

type CurrentDispute = Omit<Dispute, "updatedAt">;

/**
 * Stores a dispute about a charge of the order as the provider reports it now, with its event.
 * A dispute that did not change is not stored again.
 *
 * The order is read before the provider is asked, and again when another change came first. So the
 * last state that is stored was also the last one asked for, however late the webhooks arrive.
 *
 * @param findDispute asks the provider; null for a dispute that it does not know.
 * @throws Refusal SERVICE_UNAVAILABLE when the provider does not answer.
 */
export const recordDispute = (
  ctx: OrderContext,
  orderId: string,
  findDispute: () => Promise<CurrentDispute | null | "no_answer">,
): Promise<OrderDetails> =>
  retryOnConflict(async () => {
    const details = await orderRepo(ctx).get(orderId);
    const current = await findDispute();
    if (current === "no_answer") {
      throw unavailable("The payment provider did not answer. Try again.");
    }
    if (current === null || !isNewer(current, details.payment.dispute)) return details;
    const at = ctx.now();
    const { payment } = details;
    const changed = {
      ...payment,
      dispute: { ...current, updatedAt: at },
      version: payment.version + 1,
      updatedAt: at,
    };
    const order = nextVersion(details.order, at);
    await commitOrder(ctx, {
      order,
      payment: changed,
      events: [disputeEvent(changed, changed.dispute)],
    });
    return { ...details, order, payment: changed };
  });

/** Whether a dispute differs from the stored one. Of two disputes, the one that was opened last counts. */
function isNewer(current: CurrentDispute, stored: Dispute | null): boolean {
  if (stored === null) return true;
  if (stored.id !== current.id) return current.openedAt > stored.openedAt;
  return (
    stored.status !== current.status ||
    stored.reason !== current.reason ||
    stored.amountMinor !== current.amountMinor ||
    stored.dueBy !== current.dueBy
  );
}
