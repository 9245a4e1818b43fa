import type { Channel } from "../messaging/index.ts";

/** Every message that the service sends by itself (docs/contract/messages.md#names). */
export const messageNames = [
  "order.confirmation",
  "order.receipt",
  "order.cancelled",
  "payment.failed",
  "refund.issued",
  "shipment.shipped",
  "shipment.delivered",
  "booking.confirmation",
  "booking.moved",
  "booking.cancelled",
  "booking.reminder",
  "subscription.renewal_failed",
  "subscription.ending",
  "support.reply",
  "member.invitation",
  "provider.invalid",
] as const;
export type MessageName = (typeof messageNames)[number];

const emailAndSms = ["email", "sms"] as const;
const emailOnly = ["email"] as const;

/** The channels by which each message can go out. */
export const channelsOf = (name: MessageName): readonly Channel[] =>
  /^(?:order|payment|refund|shipment|booking)\./.test(name) ? emailAndSms : emailOnly;
