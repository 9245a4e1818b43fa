import { conflict, digestsEqual, generateToken, notFound } from "../../kernel/index.ts";
import { verifiedContacts } from "../contacts/contact.ts";
import { type Enrolment, toEnrolment } from "../enroll.ts";
import { savedLimitRefusal } from "../saved-record-repo.ts";
import type { ActiveLinkSession } from "../session.ts";
import { linkOrder } from "./link-order.ts";
import { notifyOwner, type OrderLinkContext } from "./notify-owner.ts";
import { type OrderIntent, requireLinkingContact } from "./order-intent.ts";
import { orderIntentRepo } from "./order-intent-repo.ts";
import { type LinkedOrder, orderLinkRepo, ownerOf } from "./order-link-repo.ts";
import type { OrderLinkRequest } from "./request-order-link.ts";

export type OrderEnrolmentRequest = OrderLinkRequest & Readonly<{ session: ActiveLinkSession }>;

/**
 * Enrols the account of a session, links an order to it and saves an address and a mobile-money account
 * (docs/contract/link.md#enroll-and-link-order). No batch can write the shard and CORE, so CORE
 * first stores an intent, which a job finishes after a crash. Four round trips.
 *
 * @throws Refusal NOT_FOUND for an order that the caller may not link, CONFLICT for an order of
 *   another account, SAVED_LIMIT.
 */
export async function enrollWithOrder(
  ctx: OrderLinkContext,
  { orderId, tokenHash, session, ...saved }: OrderEnrolmentRequest,
): Promise<Enrolment> {
  if (session.account.mode !== ctx.business.mode) throw notFound("order");
  const linkedOrder = await orderLinkRepo(ctx).get(orderId, verifiedContacts(session.contacts));
  const hasToken = tokenHash !== null;
  if (hasToken && !digestsEqual(linkedOrder.billTokenHash, tokenHash)) throw notFound("order");
  const contact = requireLinkingContact(linkedOrder.order, {
    session,
    hasToken,
    isOwned: (candidate) => ownerOf(linkedOrder.contactOwners, candidate) !== null,
  });
  const intent = await orderIntentRepo(ctx.core).start(
    {
      id: generateToken(ctx.randomBytes),
      orderId,
      businessId: ctx.business.id,
      accountId: session.account.id,
      contact,
      address: saved.address && { ...saved.address, id: ctx.newId("addr") },
      mobileMoney: saved.mobileMoney && { ...saved.mobileMoney, id: ctx.newId("mm") },
      orderType: saved.orderType,
    },
    ctx.now(),
  );
  if (!intent) throw savedLimitRefusal();
  if (intent.accountId !== session.account.id) throw linkedToAnotherAccountRefusal();
  return finishOrderIntent(ctx, intent, linkedOrder);
}

/**
 * Does the remaining work of an intent and deletes the intent. Safe to repeat and to run
 * concurrently.
 *
 * @throws Refusal CONFLICT when the order belongs to another account.
 */
export async function finishOrderIntent(
  ctx: OrderLinkContext,
  intent: OrderIntent,
  knownOrder: LinkedOrder | null = null,
): Promise<Enrolment> {
  const intents = orderIntentRepo(ctx.core);
  const outcome = await linkOrder(ctx, intent, knownOrder);
  if (outcome.type === "linked") {
    await notifyOwner(ctx, intent, outcome.orderNumber);
    return intents.finish(intent, ctx.now());
  }
  const account = await intents.cancel(intent);
  if (outcome.type === "linked_to_another") throw linkedToAnotherAccountRefusal();
  return toEnrolment(account, account);
}

const linkedToAnotherAccountRefusal = () => conflict("The order belongs to another Link account.");
