import type { Message } from "./message.ts";

/**
 * The result of sending a message. `reason` is logged, so it must be a status or a code: the
 * recipient, the text and the provider's own words are personal data.
 */
export type SendResult =
  | Readonly<{ type: "sent" }>
  | Readonly<{ type: "refused"; reason: string }>
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

/** Sends a message through the provider of its channel. */
export async function sendMessage(senders: Senders, message: Message): Promise<SendResult> {
  const sender =
    message.channel === "sms" ? senders.sms?.send(message) : senders.email?.send(message);
  return sender ?? { type: "refused", reason: `no provider of ${message.channel} is configured` };
}
