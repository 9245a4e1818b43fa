import type { MerchantContext } from "../../shared/businesses/index.ts";
import type { Write } from "../../shared/database/index.ts";
import { findRefusal, hour, type Refusal, unavailable } from "../../shared/kernel/index.ts";
import { invitationTtlMs, type Member } from "../../shared/members/index.ts";
import { queueCoreMessage } from "../../shared/messages/index.ts";
import type { RequestContext } from "../http/context.ts";
import { assertWithinLimit } from "../http/rate-limits/rate-limit.ts";
import { coreWakeup, sealCoreMessage, wakeMessageSender } from "../runtime/message-queue.ts";
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

type InvitationRequest = Parameters<typeof assertWithinLimit>[0] & RequestContext<BusinessBindings>;

/**
 * The message of an invitation: `writeMessage` queues it in the batch of the invitation, and `send` has
 * it sent at once. Beyond the limits there is no message, and the invitation is open all the same.
 */
export function createInvitationMessage(c: InvitationRequest, ctx: MerchantContext) {
  const messageId = ctx.newId("msg");
  let outcome: "none" | "allowed" | Refusal = "none";
  return {
    async writeMessage({ id, email, role }: Member): Promise<Write[]> {
      const settings = c.get("settings");
      if (settings.emailProvider === undefined) return [];
      outcome = await findExceededLimit(c, { businessId: ctx.business.id, memberId: id });
      if (outcome !== "allowed") return [];
      const consoleUrl = `${new URL(c.req.url).origin}/console`;
      const row = await sealCoreMessage(settings, {
        id: messageId,
        content: { type: "invitation", businessId: ctx.business.id, to: email, role, consoleUrl },
        expiresAt: ctx.now() + invitationTtlMs,
      });
      return [queueCoreMessage(ctx.core, row)];
    },

    /** @throws Refusal RATE_LIMITED when the limits allowed no message. */
    async send(): Promise<void> {
      if (outcome === "allowed") await wakeMessageSender(c.env, coreWakeup(messageId));
      else if (outcome !== "none") throw outcome;
    },
  };
}

async function findExceededLimit(
  c: InvitationRequest,
  { businessId, memberId }: Readonly<{ businessId: string; memberId: string }>,
): Promise<"allowed" | Refusal> {
  const ofBusiness = `invitations:${businessId}`;
  const ofInvitation = `invitation:${memberId}`;
  try {
    await assertWithinLimit(c, { name: ofBusiness, limit: messagesPerBusiness, windowMs: hour });
    await assertWithinLimit(c, {
      name: ofInvitation,
      limit: messagesPerInvitation,
      windowMs: hour,
    });
    return "allowed";
  } catch (error) {
    const refusal = findRefusal(error);
    if (refusal?.code === "RATE_LIMITED") return refusal;
    throw error;
  }
}
