import type { MerchantContext } from "../../businesses/index.ts";
import { conflict, newToken, notFound, ruleBroken, sameDigest } from "../../kernel/index.ts";
import { type Enrolment, newAccount } from "../account.ts";
import { enrolmentOf } from "../enroll.ts";
import { maxSaved } from "../saved-record-repo.ts";
import type { OpenSession } from "../session.ts";
import { linkOrder } from "./link-order.ts";
import { linkingContact, type OrderIntent, type WithOrder } from "./order-intent.ts";
import { orderIntentRepo } from "./order-intent-repo.ts";
import { type LinkedOrder, orderLinkRepo } from "./order-link-repo.ts";

export type OrderEnrolmentRequest = WithOrder &
  Readonly<{
    orderId: string;
    /** The digest of the bill_token that the caller shows; null without one. */
    tokenHash: string | null;
    session: OpenSession | null;
  }>;

/**
 * Enrols an account and makes an order its own, with an address and a mobile-money account to keep
 * (interface.md, POST /enroll-and-link-order). The shop's database and CORE share no batch: what
 * is to come stands in CORE first, then the order, as it was read before, gets its link, then CORE's
 * last batch shows it all: four round trips. From the intent on the job finishes what a crash left. An order that is the
 * account's already keeps nothing again.
 *
 * @throws Refusal NOT_FOUND for an order that is not the caller's to link, CONFLICT for another
 * account's, SAVED_LIMIT without room for what came along.
 */
export async function enrollWithOrder(
  ctx: MerchantContext,
  { orderId, tokenHash, session, ...saved }: OrderEnrolmentRequest,
): Promise<Enrolment> {
  if (session && session.account.mode !== ctx.business.mode) throw notFound("order");
  const read = await orderLinkRepo(ctx).get(orderId);
  const hasToken = tokenHash !== null;
  if (hasToken && !sameDigest(read.billTokenHash, tokenHash)) throw notFound("order");
  const contact = linkingContact(read.order, { session, hasToken });
  const standing = await orderIntentRepo(ctx.core).begin(
    {
      id: newToken(ctx.random),
      orderId,
      businessId: ctx.business.id,
      contact,
      isOwners: session !== null,
      address: saved.address && { ...saved.address, id: ctx.newId("addr") },
      mobileMoney: saved.mobileMoney && { ...saved.mobileMoney, id: ctx.newId("mm") },
      orderType: saved.orderType,
    },
    {
      ownerId: session?.account.id ?? null,
      fresh: newAccount(ctx, ctx.business.mode),
      now: ctx.now(),
    },
  );
  if (!standing) throw noRoom();
  const isOurs = session
    ? standing.accountId === session.account.id
    : standing.contact?.type === contact?.type && standing.contact?.value === contact?.value;
  if (!isOurs) throw anothers();
  return finishOrderIntent(ctx, standing, read);
}

/**
 * Goes on with an intent, from wherever it was left; safe to repeat, and beside itself.
 *
 * @throws Refusal CONFLICT when the order is another account's, which ends the intent.
 */
export async function finishOrderIntent(
  ctx: MerchantContext,
  intent: OrderIntent,
  read: LinkedOrder | null = null,
): Promise<Enrolment> {
  const intents = orderIntentRepo(ctx.core);
  const outcome = await linkOrder(ctx, intent, read);
  if (outcome === "linked") return intents.finish(intent, ctx.now());
  const account = await intents.drop(intent);
  if (outcome === "others") throw anothers();
  return enrolmentOf(account, account);
}

const anothers = () => conflict("The order belongs to another Link account.");

const noRoom = () =>
  ruleBroken("SAVED_LIMIT", `An account keeps at most ${maxSaved} of each.`, { limit: maxSaved });
