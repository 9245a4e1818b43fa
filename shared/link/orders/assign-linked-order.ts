import type { ShopContext } from "../../businesses/index.ts";
import { contactOwnerRepo, customerRepo, newCustomer } from "../../customers/index.ts";
import { commit, retryOnConflict, type Write } from "../../database/index.ts";
import type { DomainEvent } from "../../events/index.ts";
import { conflict, findRefusal } from "../../kernel/index.ts";
import { nextVersion, type Order, orderEvent, orderRepo } from "../../orders/index.ts";
import { notifyOwner, type OrderLinkContext } from "./notify-owner.ts";
import { contactsOf, hasContact, type OrderIntent } from "./order-intent.ts";
import {
  type LinkedOrder,
  orderLinkRepo,
  ownerOf,
  unclaimedCustomerOf,
} from "./order-link-repo.ts";
import { type UnassignedOrder, unassignedOrderRepo } from "./unassigned-order-repo.ts";

/** The contact whose customer gets an order, and what is known about it. */
type AssigningContact = Pick<OrderIntent, "contact" | "isContactVerified"> &
  Readonly<{
    /** True when the owner of the contact has a session, so that any order with a contact is theirs. */
    isByOwner: boolean;
  }>;

type CustomerAssignment = Readonly<{ writes: readonly Write[]; events: readonly DomainEvent[] }>;

/**
 * The writes that assign the order to its customer; none when it has one or none is found
 * (docs/contract/link.md#link-order-customer).
 */
export function planCustomerAssignment(
  ctx: ShopContext,
  { order, contactOwners }: LinkedOrder,
  { contact, isByOwner, isContactVerified }: AssigningContact,
): CustomerAssignment {
  const none = { writes: [], events: [] };
  if (order.customerId !== null || contact === null) return none;
  // An owner's contact may differ from the order's, but an erased order has none at all.
  const isTheirs = hasContact(order, contact) || (isByOwner && contactsOf(order).length > 0);
  if (!isTheirs) return none;
  const ownerId = ownerOf(contactOwners, contact);
  if (ownerId !== null) return assignmentTo(ctx, order, ownerId);
  if (!isContactVerified) return none;
  const unclaimedId = unclaimedCustomerOf(contactOwners, contact);
  const customer = newCustomer({ id: unclaimedId ?? ctx.newId("cus"), now: ctx.now() }, contact);
  const { writes, events } = assignmentTo(ctx, order, customer.id);
  return {
    writes: [
      unclaimedId === null
        ? customerRepo(ctx).insert(customer)
        : contactOwnerRepo(ctx).claim(unclaimedId, contact, ctx.now()),
      ...writes,
    ],
    events,
  };
}

function assignmentTo(ctx: ShopContext, before: Order, customerId: string): CustomerAssignment {
  const order = { ...nextVersion(before, ctx.now()), customerId };
  return {
    writes: orderRepo(ctx).assignCustomer(order),
    events: [orderEvent("order.updated", order)],
  };
}

/**
 * Links an order that was enrolled without a session to the account of its contact, and assigns it to
 * the shop's customer. While nobody has verified the contact at Link, the order waits, but a
 * customer who has verified it at the shop gets it. Safe to repeat.
 *
 * @throws Refusal CONFLICT (retryable) when the order changes faster than it can be read.
 */
export async function assignLinkedOrder(
  ctx: OrderLinkContext,
  waiting: UnassignedOrder,
): Promise<void> {
  const unassigned = unassignedOrderRepo(ctx.core);
  const isSettled = await retryOnConflict(() => assignOnce(ctx, waiting));
  await (isSettled ? unassigned.remove(waiting) : unassigned.postpone(waiting));
}

/** Whether nothing is left to do: the order is linked, or can never be. */
async function assignOnce(ctx: OrderLinkContext, waiting: UnassignedOrder): Promise<boolean> {
  const { orderId, accountId, verifiedContacts, notifiedContacts } = waiting;
  const linkedOrder = await findLinkedOrder(ctx, orderId);
  if (!linkedOrder) return true;
  const { order, link } = linkedOrder;
  const [first] = contactsOf(order);
  if (!first || (link && link.accountId !== accountId)) return true;
  const own = verifiedContacts.find((contact) => hasContact(order, contact));
  if (accountId !== null && !own) return false;
  const { writes, events } = planCustomerAssignment(ctx, linkedOrder, {
    contact: own ?? first,
    isByOwner: false,
    isContactVerified: own !== undefined,
  });
  // The order's id is the notice's id, so that a provider recognises the repetition after a crash.
  const newLink = accountId === null || link ? null : { id: orderId, orderId, accountId };
  if (newLink) await notifyOwner(ctx, { ...newLink, notifiedContacts }, order.orderNumber);
  await commit(ctx, {
    writes: newLink ? [orderLinkRepo(ctx).insert(newLink, ctx.now()), ...writes] : writes,
    events,
    refusals: staleOrderRefusals,
  });
  return accountId !== null;
}

/** Null for an order that no longer exists. */
async function findLinkedOrder(ctx: ShopContext, orderId: string): Promise<LinkedOrder | null> {
  try {
    return await orderLinkRepo(ctx).get(orderId, []);
  } catch (error) {
    if (findRefusal(error)?.code === "NOT_FOUND") return null;
    throw error;
  }
}

const staleOrderRefusal = () =>
  conflict("The order changed meanwhile. Try again.", { retryable: true });

/** The constraints that fail a batch when the order or its contact's owner changed since it was read. */
export const staleOrderRefusals = {
  "link_orders.order_id": staleOrderRefusal,
  "order_history.version": staleOrderRefusal,
  "customers.email": staleOrderRefusal,
  "customers.phone": staleOrderRefusal,
  "customers.updated_at": staleOrderRefusal,
} as const;
