import type { BusinessSchemas } from "@duka/sdk/business";

export type MessageTemplate = BusinessSchemas["MessageTemplate"];
type MessageName = MessageTemplate["name"];

/** What the messages are about. */
export const messageNames: Readonly<Record<MessageName, string>> = {
  "order.confirmation": "Order placed",
  "order.receipt": "Receipt",
  "order.cancelled": "Order cancelled",
  "payment.failed": "Payment failed",
  "refund.issued": "Refund made",
  "shipment.shipped": "Shipment left",
  "shipment.delivered": "Shipment arrived",
  "booking.confirmation": "Booking made",
  "booking.moved": "Booking moved",
  "booking.cancelled": "Booking cancelled",
  "booking.reminder": "Booking reminder",
  "subscription.renewal_failed": "Renewal failed",
  "subscription.ending": "Subscription ends soon",
  "support.reply": "Answer in the chat",
  one_time_code: "Login code",
  "member.invitation": "Invitation of a member",
  "provider.invalid": "Payment provider refuses the keys",
};

/** A message that this page does not know yet is shown by its name in the API. */
export const messageText = (name: MessageName): string => messageNames[name] ?? name;

export const channelNames = { email: "E-mail", sms: "SMS" } as const;
