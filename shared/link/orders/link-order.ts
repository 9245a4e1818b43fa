import type { ShopContext } from "../../businesses/index.ts";
import { customerRepo, newCustomer } from "../../customers/index.ts";
import { commit, retryOnConflict, type Write } from "../../database/index.ts";
import type { DomainEvent } from "../../events/index.ts";
import { conflict } from "../../kernel/index.ts";
import { nextVersion, type Order, orderEvent, orderRepo } from "../../orders/index.ts";
import { hasContact, type OrderIntent } from "./order-intent.ts";
import { type LinkedOrder, orderLinkRepo } from "./order-link-repo.ts";

/**
 * `linked`: this intent linked the order. `linked_before`: an earlier intent of the same account
 * did. `linked_to_another`: the order belongs to another account.
 */
export type LinkOutcome = "linked" | "linked_before" | "linked_to_another";

/**
 * Links an order to the intent's account. An order without a customer is also assigned to the
 * business's customer who has verified the order's contact
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
  return retryOnConflict(async (attempt) => {
    const isFirst = attempt === 1;
    const linked = (isFirst && knownOrder) || (await orderLinkRepo(ctx).get(intent.orderId));
    if (linked.link) return outcomeFor(linked.link, intent);
    await commitLink(ctx, linked, intent);
    return "linked";
  });
}

function outcomeFor(
  { accountId, intentId }: NonNullable<LinkedOrder["link"]>,
  intent: OrderIntent,
): LinkOutcome {
  if (intentId === intent.id) return "linked";
  return accountId === intent.accountId ? "linked_before" : "linked_to_another";
}

async function commitLink(
  ctx: ShopContext,
  linkedOrder: LinkedOrder,
  intent: OrderIntent,
): Promise<void> {
  const { writes, events } = planCustomerAssignment(ctx, linkedOrder, intent);
  await commit(ctx, {
    writes: [orderLinkRepo(ctx).insert(intent, ctx.now()), ...writes],
    events,
    refusals: {
      "link_orders.order_id": staleOrderRefusal,
      "order_history.version": staleOrderRefusal,
      "customers.email": staleOrderRefusal,
      "customers.phone": staleOrderRefusal,
      "customers.updated_at": staleOrderRefusal,
    },
  });
}

type CustomerAssignment = Readonly<{ writes: readonly Write[]; events: readonly DomainEvent[] }>;

/**
 * Plans the writes that assign the order to a customer. The plan is empty when the order has a
 * customer, or when no customer may be assigned.
 */
function planCustomerAssignment(
  ctx: ShopContext,
  { order, contactOwners }: LinkedOrder,
  { contact, isByOwner }: OrderIntent,
): CustomerAssignment {
  const needsCustomer = order.customerId === null && contact !== null && hasContact(order, contact);
  if (!needsCustomer) return { writes: [], events: [] };
  const contactOwnerId = contactOwners[contact.type];
  if (contactOwnerId !== null) return assignmentTo(ctx, order, contactOwnerId);
  if (!isByOwner) return { writes: [], events: [] };
  const customer = newCustomer({ id: ctx.newId("cus"), now: ctx.now() }, contact);
  const { writes, events } = assignmentTo(ctx, order, customer.id);
  return { writes: [customerRepo(ctx).insert(customer), ...writes], events };
}

function assignmentTo(ctx: ShopContext, before: Order, customerId: string): CustomerAssignment {
  const order = { ...nextVersion(before, ctx.now()), customerId };
  return {
    writes: orderRepo(ctx).assignCustomer(order),
    events: [orderEvent("order.updated", order)],
  };
}

const staleOrderRefusal = () =>
  conflict("The order changed meanwhile. Try again.", { retryable: true });
