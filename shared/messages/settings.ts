import { hour } from "../kernel/index.ts";

export const smsModes = ["always", "without_email", "never"] as const;
type SmsMode = (typeof smsModes)[number];

/** How a business's messages are sent (docs/contract/messages.md#settings). */
export type MessageSettings = Readonly<{
  /** The name beside the sender's address; null for the name of the business. */
  senderName: string | null;
  replyTo: string | null;
  /** A BCP 47 tag, by which dates and amounts are written. */
  locale: string;
  footer: string | null;
  /** How many hours before a booking its reminder goes out; 0 for none. */
  reminderHours: number;
  /** Whether customers get SMS messages too, or only those without an e-mail address. */
  sms: SmsMode;
}>;

export const defaultMessageSettings: MessageSettings = {
  senderName: null,
  replyTo: null,
  locale: "en",
  footer: null,
  reminderHours: 24,
  sms: "always",
};

export const maxReminderHours = 336;

/** How long a shopper may be away before the answer to a support message is sent by e-mail. */
export const supportReplyDelayMs = hour / 12;
/** How long before its end a subscription's message goes out. */
export const endingNoticeMs = 72 * hour;

/** Whether a text is a locale that dates and amounts can be written in. */
export function isLocale(text: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(text).length === 1;
  } catch {
    return false; // it is not a language tag
  }
}
