import { digestsEqual, notFound } from "../../kernel/index.ts";
import type { LoginContext } from "../context.ts";
import type { Enrolment } from "../enroll.ts";
import { hasDetails } from "../pending/pending-details.ts";
import { insertPendingDetails } from "../pending/pending-details-repo.ts";
import { buildRequestedEnrolment } from "../pending/request-enrolment.ts";
import type { OrderLinkContext } from "./notify-owner.ts";
import { contactsOf, type SavedWithOrder } from "./order-intent.ts";
import { orderLinkRepo, ownerOf } from "./order-link-repo.ts";
import { unassignedOrderRepo } from "./unassigned-order-repo.ts";

export type OrderLinkRequest = SavedWithOrder &
  Readonly<{
    orderId: string;
    /** The digest of the bill_token that the caller sent, or null when the caller sent none. */
    tokenHash: string | null;
  }>;

/**
 * Requests, without a session, that an order is linked to the account of its contact
 * (docs/contract/link.md#link-order-without-session). A job links it once the contact's owner has
 * logged in; the details wait for the owner. Two round trips, the same for every contact.
 *
 * @throws Refusal NOT_FOUND for an order that the caller may not link.
 */
export async function requestOrderLink(
  ctx: OrderLinkContext & Pick<LoginContext, "accountIdSecret">,
  { orderId, tokenHash, ...saved }: OrderLinkRequest,
): Promise<Enrolment> {
  const { order, billTokenHash, contactOwners } = await orderLinkRepo(ctx).get(orderId, []);
  const [contact] = contactsOf(order);
  if (tokenHash === null || !digestsEqual(billTokenHash, tokenHash) || !contact)
    throw notFound("order");
  const request = {
    ...{ contact, mode: ctx.business.mode, orderId, business: ctx.business },
    now: ctx.now(),
  };
  const details = { name: null, ...saved };
  await ctx.core.batch([
    unassignedOrderRepo(ctx.core).insert({
      ...request,
      isOwned: ownerOf(contactOwners, contact) !== null,
    }),
    ...(hasDetails(details)
      ? [insertPendingDetails(ctx.core, { ...details, ...request, id: ctx.newId("pend") })]
      : []),
  ]);
  return buildRequestedEnrolment(ctx, request);
}
