export const channels = ["sms", "email"] as const;
export type Channel = (typeof channels)[number];

type MessageBase = Readonly<{
  /**
   * The message's id. It is the same in every attempt, so that a provider can recognise a repeat.
   */
  id: string;
  /** What kind of message it is, such as `order.receipt`. Absent for a one-time code. */
  name?: string;
  text: string;
  /** When the message expires, in epoch milliseconds. An expired message is not sent. */
  expiresAt: number;
}>;

/** A file of an e-mail, as text. */
export type Attachment = Readonly<{ filename: string; contentType: string; content: string }>;

/** What an e-mail may have in addition to its text. */
type EmailParts = Readonly<{
  subject: string;
  html?: string;
  attachments?: readonly Attachment[];
  /** The name beside the deployment's address; null or absent for that of the deployment. */
  senderName?: string | null;
  replyTo?: string | null;
  /** Where one POST unsubscribes its reader (RFC 8058); null or absent for a message without. */
  unsubscribeUrl?: string | null;
  /** The entry of a business's log, by which the provider reports a bounce. */
  logged?: Readonly<{ businessId: string; messageId: string }>;
}>;

/** A message to one person. `to` is an E.164 number for sms and an address for email. */
export type Message =
  | (MessageBase & Readonly<{ channel: "sms"; to: string }>)
  | (MessageBase & EmailParts & Readonly<{ channel: "email"; to: string }>);

/** The headers that show a button to unsubscribe in mail programs. */
export const unsubscribeHeaders = (
  url: string | null | undefined,
): Readonly<Record<string, string>> | null =>
  url
    ? { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
    : null;
