import {
  conflict,
  digestsEqual,
  generateToken,
  notFound,
  ruleViolation,
} from "../../kernel/index.ts";
import { type Enrolment, newAccount, verifiedContacts } from "../account.ts";
import { toEnrolment } from "../enroll.ts";
import { maxSavedRecords } from "../saved-record-repo.ts";
import type { ActiveLinkSession } from "../session.ts";
import { linkOrder } from "./link-order.ts";
import { notifyOwner, type OrderLinkContext } from "./notify-owner.ts";
import { type OrderIntent, requireLinkingContact, type SavedWithOrder } from "./order-intent.ts";
import { orderIntentRepo } from "./order-intent-repo.ts";
import { type LinkedOrder, orderLinkRepo, ownerOf } from "./order-link-repo.ts";

export type OrderEnrolmentRequest = SavedWithOrder &
  Readonly<{
    orderId: string;
    /** The digest of the bill_token that the caller sent, or null when the caller sent none. */
    tokenHash: string | null;
    session: ActiveLinkSession | null;
  }>;

/**
 * Enrols an account, links an order to it and saves an address and a mobile-money account
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
  if (session && session.account.mode !== ctx.business.mode) throw notFound("order");
  const accountContacts = session ? verifiedContacts(session.contacts) : [];
  const linkedOrder = await orderLinkRepo(ctx).get(orderId, accountContacts);
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
      contact,
      isByOwner: session !== null,
      address: saved.address && { ...saved.address, id: ctx.newId("addr") },
      mobileMoney: saved.mobileMoney && { ...saved.mobileMoney, id: ctx.newId("mm") },
      orderType: saved.orderType,
    },
    {
      ownerId: session?.account.id ?? null,
      account: newAccount(ctx, ctx.business.mode),
      now: ctx.now(),
    },
  );
  if (!intent) throw savedLimitRefusal();
  const isOwnIntent = session
    ? intent.accountId === session.account.id
    : intent.contact?.type === contact.type && intent.contact.value === contact.value;
  if (!isOwnIntent) throw linkedToAnotherAccountRefusal();
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
    return intents.finish(intent, { now: ctx.now(), hasCustomer: outcome.hasCustomer });
  }
  const account = await intents.cancel(intent);
  if (outcome.type === "linked_to_another") throw linkedToAnotherAccountRefusal();
  return toEnrolment(account, account);
}

const linkedToAnotherAccountRefusal = () => conflict("The order belongs to another Link account.");

const savedLimitRefusal = () =>
  ruleViolation(
    "SAVED_LIMIT",
    `An account saves at most ${maxSavedRecords} addresses and ${maxSavedRecords} mobile-money accounts. Remove one first.`,
    {
      limit: maxSavedRecords,
    },
  );
