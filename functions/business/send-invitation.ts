import type { MerchantContext } from "../../shared/businesses/index.ts";
import { hour, unavailable } from "../../shared/kernel/index.ts";
import { type Member, toInvitationMessage } from "../../shared/members/index.ts";
import type { RequestContext } from "../http/context.ts";
import { assertWithinLimit } from "../http/rate-limits/rate-limit.ts";
import { queueMessage } from "../runtime/message-queue.ts";
import type { BusinessBindings } from "./env.ts";

/** How many messages an hour one invitation may cause, also when several callers repeat it. */
const messagesPerInvitation = 5;
/** How many a business may cause, so that nobody sends mail to others in the service's name. */
const messagesPerBusiness = 100;

/**
 * Refuses an invitation that no message could carry. In development with test codes a person can
 * log in without a message.
 *
 * @throws Refusal SERVICE_UNAVAILABLE
 */
export function assertCanInvite(c: RequestContext): void {
  const { emailProvider, consoleTestCodes } = c.get("settings");
  if (emailProvider !== undefined || consoleTestCodes) return;
  throw unavailable("No provider is configured that sends e-mail messages.");
}

/**
 * Queues the message of an open invitation.
 *
 * @throws Refusal RATE_LIMITED, or SERVICE_UNAVAILABLE when the queue does not accept it.
 */
export async function sendInvitation(
  c: Parameters<typeof assertWithinLimit>[0] & RequestContext<BusinessBindings>,
  ctx: MerchantContext,
  member: Member,
): Promise<void> {
  if (member.acceptedAt !== null || c.get("settings").emailProvider === undefined) return;
  const ofBusiness = `invitations:${ctx.business.id}`;
  await assertWithinLimit(c, { name: ofBusiness, limit: messagesPerBusiness, windowMs: hour });
  const ofInvitation = `invitation:${member.id}`;
  await assertWithinLimit(c, { name: ofInvitation, limit: messagesPerInvitation, windowMs: hour });
  const consoleUrl = `${new URL(c.req.url).origin}/console`;
  const message = toInvitationMessage(ctx, member, { consoleUrl });
  await queueMessage(c.env, c.get("settings"), message);
}
