import type { Business } from "../../businesses/index.ts";
import { deriveAccountIds } from "../account.ts";
import type { ContactInMode } from "../contacts/contact.ts";
import type { LoginContext } from "../context.ts";
import type { Enrolment } from "../enroll.ts";
import { insertPendingDetails } from "./pending-details-repo.ts";

export type RequestedEnrolment = ContactInMode &
  Readonly<{
    /** The business whose key the caller sent. */
    business: Pick<Business, "id" | "name">;
    name: string | null;
  }>;

/**
 * Requests the enrolment of a contact for a caller who is not its owner. It takes effect when the
 * owner logs in with the contact, and a name waits for the owner's confirmation
 * (docs/contract/link.md#enroll-unverified). The database's answer to every contact is the same.
 */
export async function requestEnrolment(
  ctx: LoginContext,
  { contact, mode, business, name }: RequestedEnrolment,
): Promise<Enrolment> {
  const now = ctx.now();
  await ctx.db.batch([
    insertPendingDetails(ctx.db, {
      ...{ id: ctx.newId("pend"), contact, mode, orderId: null, business, now },
      ...{ name, address: null, mobileMoney: null, orderType: null },
    }),
  ]);
  return buildRequestedEnrolment(ctx, { contact, mode, now });
}

/** The response to a caller who is not the contact's owner: the same for every contact. */
export async function buildRequestedEnrolment(
  { accountIdSecret }: Pick<LoginContext, "accountIdSecret">,
  { contact, mode, now }: ContactInMode & Readonly<{ now: number }>,
): Promise<Enrolment> {
  const { id, customerId } = await deriveAccountIds(accountIdSecret, { contact, mode });
  return { accountId: id, customerId, enrolledAt: now, isNew: false };
}
