import type { Message } from "./message.ts";

/**
 * What a provider says of a message. A `reason` never holds the recipient or the text, since it is
 * logged: it is a status or a code, never the provider's own words.
 */
export type SendResult =
  | Readonly<{ type: "sent" }>
  | Readonly<{ type: "refused"; reason: string }>
  | Readonly<{ type: "no_answer"; reason: string; retryAfterMs: number | null }>;

/** One provider of one channel, behind one file (architecture.md, The house). None of these throws. */
export type MessageSender<M extends Message = Message> = Readonly<{
  name: string;
  send(message: M): Promise<SendResult>;
}>;

export type SmsSender = MessageSender<Extract<Message, { channel: "sms" }>>;
export type EmailSender = MessageSender<Extract<Message, { channel: "email" }>>;

/** The deployment's providers; null where a channel has none. */
export type Senders = Readonly<{ sms: SmsSender | null; email: EmailSender | null }>;

/** Sends by the message's channel. */
export async function sendMessage(senders: Senders, message: Message): Promise<SendResult> {
  const sender =
    message.channel === "sms" ? senders.sms?.send(message) : senders.email?.send(message);
  return sender ?? { type: "refused", reason: `no provider of ${message.channel} is configured` };
}
