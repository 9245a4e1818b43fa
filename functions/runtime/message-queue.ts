import { z } from "@hono/zod-openapi";
import type { Contact } from "../../shared/customers/index.ts";
import { findRefusal, stackOf, unavailable } from "../../shared/kernel/index.ts";
import type { Notice } from "../../shared/link/index.ts";
import type { Message } from "../../shared/messaging/index.ts";
import { log } from "./log.ts";
import { seal, unseal } from "./sealing.ts";
import { deriveSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/**
 * An encrypted SMS or e-mail, so that nobody can read recipients and one-time codes in the queue.
 */
export type SealedMessage = Readonly<{ sealed: string }>;

/** Tells the background Worker that a business has due messages. Does not contain them. */
export const MessageWakeup = z.object({ businessId: z.string(), shard: z.string() });
export type MessageWakeup = z.infer<typeof MessageWakeup>;

/** The binding of Workers that send SMS or e-mail messages. */
export type MessageBindings = Readonly<{ MESSAGES: Queue<SealedMessage | MessageWakeup> }>;

const SealedBody = z.object({ sealed: z.string() });
const common = {
  name: z.string().exactOptional(),
  id: z.string(),
  to: z.string(),
  text: z.string(),
  expiresAt: z.number().int(),
};
const QueuedMessage: z.ZodType<Message> = z.discriminatedUnion("channel", [
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

/**
 * Queues an SMS or e-mail for the background Worker.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the queue does not accept the message.
 */
export async function queueMessage(
  { MESSAGES }: MessageBindings,
  settings: Settings,
  message: Message,
): Promise<void> {
  const secret = await deriveSecret(settings, "queued messages");
  const body = { sealed: await seal(JSON.stringify(message), secret) };
  try {
    await MESSAGES.send(body);
  } catch (error) {
    log("error", "message not queued", { stack: stackOf(error) });
    throw unavailable("The message could not be sent; try again.");
  }
}

/** Queues a notice to the first contact whose channel has a provider. A failure is only logged. */
export async function queueNotice(
  bindings: MessageBindings,
  settings: Settings,
  { contacts, notice }: { contacts: readonly Contact[]; notice: Notice },
): Promise<void> {
  const contact = contacts.find((candidate) => hasProvider(settings, candidate));
  if (!contact) return;
  try {
    await queueMessage(bindings, settings, noticeMessage(contact, notice));
  } catch (error) {
    if (findRefusal(error) === null) throw error; // an outage of the queue was logged there
  }
}

/**
 * Queues a notice to every contact whose channel has a provider.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the queue does not accept a notice.
 */
export async function queueNoticeToEach(
  bindings: MessageBindings,
  settings: Settings,
  { contacts, notice }: { contacts: readonly Contact[]; notice: Notice },
): Promise<void> {
  const reached = contacts.filter((contact) => hasProvider(settings, contact));
  await Promise.all(
    reached.map((contact, index) => {
      const id = `${notice.id}-${index}`;
      return queueMessage(bindings, settings, noticeMessage(contact, { ...notice, id }));
    }),
  );
}

const hasProvider = ({ smsProvider, emailProvider }: Settings, { type }: Contact): boolean =>
  (type === "phone" ? smsProvider : emailProvider) !== undefined;

const noticeMessage = (contact: Contact, { subject, ...notice }: Notice): Message =>
  contact.type === "phone"
    ? { ...notice, channel: "sms", to: contact.value }
    : { ...notice, channel: "email", to: contact.value, subject };

/**
 * Decrypts a queued message. Null when it was encrypted elsewhere, or before the secret changed.
 */
export async function openMessage(body: unknown, settings: Settings): Promise<Message | null> {
  const queued = SealedBody.safeParse(body);
  if (!queued.success) return null;
  const secret = await deriveSecret(settings, "queued messages");
  try {
    return QueuedMessage.parse(JSON.parse(await unseal(queued.data.sealed, secret)));
  } catch {
    // Null, so that the message is dropped: another attempt could not decrypt it either.
    return null;
  }
}
