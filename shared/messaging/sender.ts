import type { Message } from "./message.ts";

/**
 * The result of sending a message. `reason` is logged, so it must be a status or a code: the
 * recipient, the text and the provider's own words are personal data.
 */
export type SendResult =
  /** `providerId` is the provider's own id of the message; null when it gives none. */
  | Readonly<{ type: "sent"; providerId: string | null }>
  /** `isBounce`: the recipient's address does not exist, so nothing more can be sent to it. */
  | Readonly<{ type: "refused"; reason: string; isBounce?: boolean }>
  | Readonly<{ type: "no_answer"; reason: string; retryAfterMs: number | null }>;

/** Sends the messages of one channel through one provider. A sender never throws. */
export type MessageSender<M extends Message = Message> = Readonly<{
  name: string;
  send(message: M): Promise<SendResult>;
}>;

export type SmsSender = MessageSender<Extract<Message, { channel: "sms" }>>;
export type EmailSender = MessageSender<Extract<Message, { channel: "email" }>>;

/** The deployment's providers; null for a channel that has no provider. */
export type Senders = Readonly<{ sms: SmsSender | null; email: EmailSender | null }>;

/** The result, with the name of the provider that was called; null without one. */
export type ProviderResult = SendResult & Readonly<{ provider: string | null }>;

/** Sends a message through the provider of its channel. */
export async function sendMessage(senders: Senders, message: Message): Promise<ProviderResult> {
  const result =
    message.channel === "sms" ? senders.sms?.send(message) : senders.email?.send(message);
  if (result) return { ...(await result), provider: senders[message.channel]?.name ?? null };
  const reason = `no provider of ${message.channel} is configured`;
  return { type: "refused", reason, provider: null };
}
