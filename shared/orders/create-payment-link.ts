import { commit } from "../database/index.ts";
import { day, ruleViolation } from "../kernel/index.ts";
import { maxUnpaidOrderTtlMs } from "./cancel-unpaid-order.ts";
import { commitOrder, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { nextVersion, type Order } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { assertPayable } from "./payable-order.ts";

/** How long a link works for an order that is never cancelled unpaid, such as one in cash. */
const linkTtlMs = 7 * day;

/**
 * Decides until when a payment link of an order works, and keeps the order at least as long: its
 * payment deadline moves to the end of the day after it was placed. Earlier links keep working,
 * because they name the order and expire by themselves.
 *
 * @returns when the link expires.
 * @throws Refusal INVALID_STATE unless the order can be paid.
 */
export const createPaymentLink = (ctx: OrderContext, details: OrderDetails): Promise<number> =>
  retryOrderChange(ctx, details, async (latest) => {
    assertPayable(latest);
    const { order } = latest;
    const at = ctx.now();
    const deadline = extendedDeadline(order);
    const expiresAt = deadline ?? at + linkTtlMs;
    if (expiresAt <= at) throw overdue();
    const audit = [
      {
        action: "order.payment_link_created",
        entity: order.id,
        before: null,
        after: { expiresAt },
      },
    ];
    if (deadline === order.expiresAt) await commit(ctx, { writes: [], audit });
    else {
      const extended = { ...nextVersion(order, at), expiresAt: deadline };
      await commitOrder(ctx, { order: extended, events: [], audit });
    }
    return expiresAt;
  });

/** The latest time that an unpaid order is kept; null for one that is not cancelled unpaid. */
const extendedDeadline = ({ expiresAt, createdAt }: Order): number | null =>
  expiresAt === null ? null : Math.max(expiresAt, createdAt + maxUnpaidOrderTtlMs);

const overdue = () =>
  ruleViolation("INVALID_STATE", "The order's time to be paid is over; it is being cancelled.");
