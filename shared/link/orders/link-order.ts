import type { ShopContext } from "../../businesses/index.ts";
import { commit, retryOnConflict } from "../../database/index.ts";
import { planCustomerAssignment, staleOrderRefusals } from "./assign-linked-order.ts";
import type { OrderIntent } from "./order-intent.ts";
import { type LinkedOrder, orderLinkRepo } from "./order-link-repo.ts";

/**
 * `linked`: this intent linked the order. `linked_before`: an earlier intent of the same account
 * did. `linked_to_another`: the order belongs to another account.
 */
export type LinkOutcome =
  | Readonly<{ type: "linked"; orderNumber: string }>
  | Readonly<{ type: "linked_before" | "linked_to_another" }>;

/**
 * Links an order to the intent's account. An order without a customer, also one that was linked
 * before, is assigned to the customer of the contact that it is linked by
 * (docs/contract/link.md#link-order-customer). Safe to repeat.
 *
 * @param knownOrder the order, if the caller has just read it.
 * @throws Refusal CONFLICT (retryable) when concurrent changes made every attempt fail.
 */
export async function linkOrder(
  ctx: ShopContext,
  intent: OrderIntent,
  knownOrder: LinkedOrder | null,
): Promise<LinkOutcome> {
  const contacts = intent.contact ? [intent.contact] : [];
  return retryOnConflict(async (attempt) => {
    const isFirst = attempt === 1;
    const linked =
      (isFirst && knownOrder) || (await orderLinkRepo(ctx).get(intent.orderId, contacts));
    const { link, order } = linked;
    if (link && link.accountId !== intent.accountId) return { type: "linked_to_another" };
    await commitLink(ctx, linked, intent);
    if (link && link.intentId !== intent.id) return { type: "linked_before" };
    return { type: "linked", orderNumber: order.orderNumber };
  });
}

/** Inserts the link unless the order has it, and assigns the order to its customer. */
async function commitLink(
  ctx: ShopContext,
  linkedOrder: LinkedOrder,
  intent: OrderIntent,
): Promise<void> {
  const { writes, events } = planCustomerAssignment(ctx, linkedOrder, {
    ...intent,
    isByOwner: true,
  });
  await commit(ctx, {
    writes: linkedOrder.link ? writes : [orderLinkRepo(ctx).insert(intent, ctx.now()), ...writes],
    events,
    refusals: staleOrderRefusals,
  });
}
