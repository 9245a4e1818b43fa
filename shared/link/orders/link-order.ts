import type { ShopContext } from "../../businesses/index.ts";
import { customerRepo, newCustomer } from "../../customers/index.ts";
import { commit, type Write } from "../../database/index.ts";
import type { DomainEvent } from "../../events/index.ts";
import { conflict, Refusal } from "../../kernel/index.ts";
import { changedAt, type Order, orderEvent, orderRepo } from "../../orders/index.ts";
import { isContactOf, type OrderIntent } from "./order-intent.ts";
import { type LinkedOrder, orderLinkRepo } from "./order-link-repo.ts";

/** Done by this very intent, done by an earlier one of the account, or another account has the order. */
export type LinkOutcome = "linked" | "earlier" | "others";

const maxTries = 5;

/**
 * The shop's part of an enrolment with an order: the order becomes the account's and, where it is
 * nobody's yet, the customer's of this shop who has proved its contact; of a contact that Link has
 * proved one is made. One batch, which knows its own repeat.
 *
 * @param read the order as it was read lately; null: it is read here.
 * @throws Refusal CONFLICT (retryable) when the order changes faster than it can be read.
 */
export async function linkOrder(
  ctx: ShopContext,
  intent: OrderIntent,
  read: LinkedOrder | null,
): Promise<LinkOutcome> {
  const links = orderLinkRepo(ctx);
  let found = read ?? (await links.get(intent.orderId));
  for (let tries = 1; ; tries += 1) {
    if (found.link) return outcomeOf(found.link, intent);
    try {
      await commitLink(ctx, found, intent);
      return "linked";
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.code === "CONFLICT" && error.retryable;
      if (!isOvertaken || tries === maxTries) throw error;
    }
    found = await links.get(intent.orderId);
  }
}

function outcomeOf(
  { accountId, intentId }: NonNullable<LinkedOrder["link"]>,
  intent: OrderIntent,
): LinkOutcome {
  if (intentId === intent.id) return "linked";
  return accountId === intent.accountId ? "earlier" : "others";
}

async function commitLink(
  ctx: ShopContext,
  found: LinkedOrder,
  intent: OrderIntent,
): Promise<void> {
  const { writes, events } = attachment(ctx, found, intent);
  await commit(ctx, {
    writes: [orderLinkRepo(ctx).insert(intent, ctx.now()), ...writes],
    events,
    refusals: {
      "link_orders.order_id": changedMeanwhile,
      "order_history.": changedMeanwhile,
      "customers.": changedMeanwhile,
    },
  });
}

type Attachment = Readonly<{ writes: readonly Write[]; events: readonly DomainEvent[] }>;

/** What makes the order its customer's; nothing for one that has a customer, or that finds none. */
function attachment(
  ctx: ShopContext,
  { order, contactOwners }: LinkedOrder,
  { contact, isOwners }: OrderIntent,
): Attachment {
  const isOpen = order.customerId === null && contact !== null && isContactOf(order, contact);
  if (!isOpen) return { writes: [], events: [] };
  const contactOwnerId = contactOwners[contact.type];
  if (contactOwnerId !== null) return attached(ctx, order, contactOwnerId);
  if (!isOwners) return { writes: [], events: [] };
  const made = newCustomer({ id: ctx.newId("cus"), now: ctx.now() }, contact);
  const { writes, events } = attached(ctx, order, made.id);
  return { writes: [customerRepo(ctx).insert(made), ...writes], events };
}

function attached(ctx: ShopContext, before: Order, customerId: string): Attachment {
  const order = { ...changedAt(before, ctx.now()), customerId };
  return { writes: orderRepo(ctx).assign(order), events: [orderEvent("order.updated", order)] };
}

const changedMeanwhile = () =>
  conflict("The order changed meanwhile; try again.", { retryable: true });
