import type { MerchantContext, ShopContext } from "../../businesses/index.ts";
import { contactOwnerRepo, customerRepo, newCustomer } from "../../customers/index.ts";
import { commit, retryOnConflict, type Write } from "../../database/index.ts";
import type { DomainEvent } from "../../events/index.ts";
import { conflict, findRefusal } from "../../kernel/index.ts";
import { nextVersion, type Order, orderEvent, orderRepo } from "../../orders/index.ts";
import { contactsOf, hasContact, type OrderIntent } from "./order-intent.ts";
import {
  type LinkedOrder,
  orderLinkRepo,
  ownerOf,
  unclaimedCustomerOf,
} from "./order-link-repo.ts";
import { type UnassignedOrder, unassignedOrderRepo } from "./unassigned-order-repo.ts";

/** The contact whose customer gets an order, and what is known about it. */
type AssigningContact = Pick<OrderIntent, "contact" | "isByOwner" | "isContactVerified">;

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
 * Assigns a linked order to the shop's customer, now that its account has logged in. Nothing happens
 * when the order has a customer or is no longer linked to the account. Safe to repeat.
 *
 * @throws Refusal CONFLICT (retryable) when the order changes faster than it can be read.
 */
export async function assignLinkedOrder(
  ctx: MerchantContext,
  waiting: UnassignedOrder,
): Promise<void> {
  const unassigned = unassignedOrderRepo(ctx.core);
  const isSettled = await retryOnConflict(() => assignOnce(ctx, waiting));
  await (isSettled ? unassigned.remove(waiting) : unassigned.postpone(waiting));
}

/** Whether the order has its customer, or will never get one by this link. */
async function assignOnce(
  ctx: MerchantContext,
  { orderId, accountId, verifiedContacts }: UnassignedOrder,
): Promise<boolean> {
  const linkedOrder = await findLinkedOrder(ctx, orderId);
  if (linkedOrder?.link?.accountId !== accountId) return true;
  const { order } = linkedOrder;
  if (order.customerId !== null || contactsOf(order).length === 0) return true;
  const contact = verifiedContacts.find((candidate) => hasContact(order, candidate));
  if (!contact) return false;
  const verified = { contact, isByOwner: false, isContactVerified: true };
  const assignment = planCustomerAssignment(ctx, linkedOrder, verified);
  await commit(ctx, { ...assignment, refusals: staleOrderRefusals });
  return true;
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
