import { z } from "@hono/zod-openapi";
import type { Contact } from "../../shared/customers/index.ts";
import type { Db } from "../../shared/database/index.ts";
import { stackOf } from "../../shared/kernel/index.ts";
import type { Notice } from "../../shared/link/index.ts";
import { type CoreContent, queueCoreMessage } from "../../shared/messages/index.ts";
import { channels } from "../../shared/messaging/index.ts";
import { log } from "./log.ts";
import { runtime } from "./runtime.ts";
import { seal, unseal } from "./sealing.ts";
import { deriveSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/**
 * Tells the background Worker that a database has due messages: a business's shard, or CORE without
 * one. With an id only that message is sent, so that a code waits for no other message.
 */
export const MessageWakeup = z.object({
  businessId: z.string(),
  shard: z.string().nullable(),
  messageId: z.string().exactOptional(),
});
export type MessageWakeup = z.infer<typeof MessageWakeup>;

/** The `businessId` of wakeups for messages in CORE. */
export const coreMessagesOwner = "core";

/** The binding of Workers that cause SMS or e-mail messages. */
export type MessageBindings = Readonly<{ MESSAGES: Queue<MessageWakeup> }>;

/** Wakes the background Worker. When that fails, cron sends the message within a minute. */
export async function wakeMessageSender(
  { MESSAGES }: MessageBindings,
  wakeup: MessageWakeup,
  options: QueueSendOptions = {},
): Promise<void> {
  try {
    await MESSAGES.send(wakeup, options);
  } catch (error) {
    log("warn", "message not announced", { business: wakeup.businessId, stack: stackOf(error) });
  }
}

const recipient = { channel: z.enum(channels), to: z.string(), sender: z.string() };
const common = {
  name: z.string().exactOptional(),
  id: z.string(),
  to: z.string(),
  text: z.string(),
  expiresAt: z.number().int(),
};
const RenderedMessage = z.discriminatedUnion("channel", [
  z.object({ ...common, channel: z.literal("sms") }),
  z.object({
    ...common,
    channel: z.literal("email"),
    subject: z.string(),
    html: z.string().exactOptional(),
    senderName: z.string().nullable().exactOptional(),
    replyTo: z.string().nullable().exactOptional(),
  }),
]);
const Content: z.ZodType<CoreContent> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("code"), ...recipient, code: z.string(), minutes: z.number() }),
  z.object({ type: z.literal("notice"), ...recipient, subject: z.string(), text: z.string() }),
  z.object({ type: z.literal("rendered"), message: RenderedMessage }),
  z.object({
    type: z.literal("invitation"),
    ...{ businessId: z.string(), to: z.string(), role: z.string(), consoleUrl: z.string() },
  }),
]);
const Values = z.record(z.string(), z.string());

/** Encrypts what a message shows, so that a database holds no code and no recipient to read. */
export const sealContent = async (settings: Settings, content: object): Promise<string> =>
  seal(JSON.stringify(content), await deriveSecret(settings, "queued messages"));

export const openContent = (settings: Settings, sealed: string): Promise<CoreContent | null> =>
  unsealAs(Content, settings, sealed);

export const openValues = (settings: Settings, sealed: string) =>
  unsealAs(Values, settings, sealed);

/** Null when it was encrypted elsewhere, or before the secret changed: nobody could send it. */
async function unsealAs<T>(
  schema: z.ZodType<T>,
  settings: Settings,
  sealed: string,
): Promise<T | null> {
  try {
    const secret = await deriveSecret(settings, "queued messages");
    return schema.parse(JSON.parse(await unseal(sealed, secret)));
  } catch {
    return null;
  }
}

type NewMessage = Readonly<{ id: string; content: CoreContent; expiresAt: number }>;

/** A message of the service as CORE stores it. `wakeMessageSender` has it sent at once. */
export async function sealCoreMessage(settings: Settings, { content, ...message }: NewMessage) {
  const sealed = await sealContent(settings, content);
  return { ...message, sealed, createdAt: runtime.now() };
}

export const coreWakeup = (messageId: string): MessageWakeup => ({
  businessId: coreMessagesOwner,
  shard: null,
  messageId,
});

type NoticeQueue = Readonly<{ bindings: MessageBindings; settings: Settings; core: Db }>;

/** Queues a notice to the first contact whose channel has a provider. */
export async function queueNotice(
  queue: NoticeQueue,
  { contacts, notice }: Readonly<{ contacts: readonly Contact[]; notice: Notice }>,
): Promise<void> {
  const contact = contacts.find((candidate) => hasProvider(queue.settings, candidate));
  if (contact) await queueNotices(queue, [[notice.id, contact]], notice);
}

/** Queues a notice to every contact whose channel has a provider. */
export async function queueNoticeToEach(
  queue: NoticeQueue,
  { contacts, notice }: Readonly<{ contacts: readonly Contact[]; notice: Notice }>,
): Promise<void> {
  const reached = contacts.filter((contact) => hasProvider(queue.settings, contact));
  await queueNotices(
    queue,
    reached.map((contact, index) => [`${notice.id}-${index}`, contact] as const),
    notice,
  );
}

async function queueNotices(
  { bindings, settings, core }: NoticeQueue,
  recipients: readonly (readonly [id: string, contact: Contact])[],
  { subject, text, expiresAt }: Notice,
): Promise<void> {
  const rows = await Promise.all(
    recipients.map(([id, { type, value: to }]) => {
      const channel = type === "phone" ? ("sms" as const) : ("email" as const);
      const content = { type: "notice" as const, channel, to, sender: "Link", subject, text };
      return sealCoreMessage(settings, { id, content, expiresAt });
    }),
  );
  const [first, ...others] = rows.map((row) => queueCoreMessage(core, row));
  if (first === undefined) return;
  await core.batch([first, ...others]);
  await Promise.all(recipients.map(([id]) => wakeMessageSender(bindings, coreWakeup(id))));
}

const hasProvider = ({ smsProvider, emailProvider }: Settings, { type }: Contact): boolean =>
  (type === "phone" ? smsProvider : emailProvider) !== undefined;
