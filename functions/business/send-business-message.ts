import type { MerchantContext } from "../../shared/businesses/index.ts";
import { hour, invalid, stackOf, unavailable } from "../../shared/kernel/index.ts";
import { type MessageName, previewTemplate } from "../../shared/messages/index.ts";
import type { RequestContext } from "../http/context.ts";
import { assertWithinLimit } from "../http/rate-limits/rate-limit.ts";
import { log } from "../runtime/log.ts";
import { queueMessage } from "../runtime/message-queue.ts";
import type { BusinessBindings } from "./env.ts";

type MessagingRequest = Parameters<typeof assertWithinLimit>[0] & RequestContext<BusinessBindings>;

/** How many test messages a business may send in an hour. */
const testMessagesPerHour = 20;

/** Wakes the background Worker. When that fails, cron sends the message within a minute. */
export async function wakeMessageSender(
  c: MessagingRequest,
  { business: { id, shard } }: Pick<MerchantContext, "business">,
): Promise<void> {
  try {
    await c.env.MESSAGES.send({ businessId: id, shard });
  } catch (error) {
    log("warn", "message not announced", { business: id, stack: stackOf(error) });
  }
}

/**
 * Sends a template with example data to an address, by default to the member who calls
 * (docs/contract/messages.md#send-test).
 *
 * @throws Refusal VALIDATION_ERROR, RATE_LIMITED, SERVICE_UNAVAILABLE.
 */
export async function sendTestMessage(
  c: MessagingRequest,
  ctx: MerchantContext,
  { name, to = c.get("consoleSession")?.user.email }: Readonly<{ name: MessageName; to?: string }>,
): Promise<string> {
  if (to === undefined) throw invalid("to", "is required with an API key.");
  const settings = c.get("settings");
  if (settings.emailProvider === undefined)
    throw unavailable("No provider is configured that sends e-mail messages.");
  const limit = { name: `test messages:${ctx.business.id}`, limit: testMessagesPerHour };
  await assertWithinLimit(c, { ...limit, windowMs: hour });
  const { rendered, settings: own } = await previewTemplate(ctx, name, {});
  const { subject, html, text } = rendered;
  await queueMessage(c.env, settings, {
    ...{ id: ctx.newId("msg"), name, channel: "email", to, subject, html, text },
    senderName: own.senderName ?? ctx.business.name,
    replyTo: own.replyTo,
    expiresAt: ctx.now() + hour,
  });
  return to;
}
