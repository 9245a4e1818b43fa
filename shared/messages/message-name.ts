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
  "one_time_code",
  "member.invitation",
  "provider.invalid",
] as const;
export type MessageName = (typeof messageNames)[number];

/** Those that a business cannot disable, because people could not log in or join without them. */
export const requiredMessages: readonly MessageName[] = ["one_time_code", "member.invitation"];

/**
 * Those that a customer can do without. Their e-mails have a link to unsubscribe, after which none of
 * them goes to the address.
 */
export const optionalMessages: readonly MessageName[] = ["booking.reminder", "subscription.ending"];

const emailAndSms = ["email", "sms"] as const;
const emailOnly = ["email"] as const;

/** The channels by which each message can go out. */
export const channelsOf = (name: MessageName): readonly Channel[] =>
  /^(?:order|payment|refund|shipment|booking|one_time)[._]/.test(name) ? emailAndSms : emailOnly;
