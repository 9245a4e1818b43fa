import type { MerchantContext } from "../../shared/businesses/index.ts";
import { hmacSha256, hour, invalid, unavailable } from "../../shared/kernel/index.ts";
import {
  type MessageName,
  previewTemplate,
  queueCoreMessage,
} from "../../shared/messages/index.ts";
import type { Message } from "../../shared/messaging/index.ts";
import type { RequestContext } from "../http/context.ts";
import { assertWithinLimit } from "../http/rate-limits/rate-limit.ts";
import { coreWakeup, sealCoreMessage, wakeMessageSender } from "../runtime/message-queue.ts";
import type { BusinessBindings } from "./env.ts";

type MessagingRequest = Parameters<typeof assertWithinLimit>[0] & RequestContext<BusinessBindings>;

/** How many test messages a business may send in an hour. */
const testMessagesPerHour = 20;

/** The same id for a repeat with its Idempotency-Key, which the database and providers recognise. */
async function messageIdOf(
  c: MessagingRequest,
  { business, newId }: Pick<MerchantContext, "business" | "newId">,
): Promise<string> {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return newId("msg");
  return `msg_${(await hmacSha256(business.id, `test message ${key}`)).slice(0, 26)}`;
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
  const id = await messageIdOf(c, ctx);
  const expiresAt = ctx.now() + hour;
  const message: Message = {
    ...{ id, name, channel: "email", to, subject, html, text, expiresAt },
    senderName: own.senderName ?? ctx.business.name,
    replyTo: own.replyTo,
  };
  const content = { type: "rendered" as const, message };
  const row = await sealCoreMessage(settings, { id, content, expiresAt });
  await ctx.core.batch([queueCoreMessage(ctx.core, row)]);
  await wakeMessageSender(c.env, coreWakeup(id));
  return to;
}
