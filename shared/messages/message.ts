import type { Channel } from "../messaging/index.ts";
import type { MessageName } from "./message-name.ts";

export const messageStatuses = ["queued", "sent", "failed", "skipped"] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** Why a message was not sent although nothing failed. */
const skipReasons = [
  "disabled",
  "suppressed",
  "erased",
  "outdated",
  "read",
  "repeated",
  "expired",
  "unsubscribed",
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** What an erasure leaves of a recipient: unique, and no address. */
export const erasedRecipient = "erased";

/** The recipient as the log shows it: recognisable to those who know it, and no address. */
export function maskRecipient({
  channel,
  recipient,
}: Pick<QueuedMessage, "channel" | "recipient">): string {
  if (recipient.startsWith(erasedRecipient)) return erasedRecipient;
  if (channel === "sms") return `${recipient.slice(0, 4)}•••${recipient.slice(-2)}`;
  const at = recipient.lastIndexOf("@");
  return `${recipient.slice(0, Math.min(2, Math.max(at - 1, 0)))}•••${recipient.slice(at)}`;
}

/** A message to one recipient through one channel. */
export type QueuedMessage = Readonly<{
  id: string;
  name: MessageName;
  channel: Channel;
  /** An address or an E.164 number; empty once the customer's data were erased. */
  recipient: string;
  /** What makes the message unique with its name, channel and recipient: an event, or a record. */
  sourceId: string;
  /** The event whose data it shows; null for a message that follows from stored times. */
  eventId: string | null;
  /** The booking, shipment, subscription, conversation or order that it is about. */
  subjectId: string;
  orderId: string | null;
  customerId: string | null;
  status: MessageStatus;
  attempts: number;
  firstAttemptAt: number | null;
  /** When the next attempt is due, or the lease of the current one ends; null for none. */
  nextAttemptAt: number | null;
  provider: string | null;
  /** The provider's own id of the message. */
  providerId: string | null;
  /** Why it failed or was skipped; a code or a status, never the provider's words. */
  error: string | null;
  createdAt: number;
  sentAt: number | null;
  /** What it shows that is stored nowhere else, such as a code, sealed; null once it has ended. */
  sealedValues: string | null;
  /** When sending it has no use any more; null for a message that the schedule alone ends. */
  expiresAt: number | null;
}>;
