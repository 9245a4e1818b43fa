import type { MessageName } from "../message-name.ts";

const common = ["business_name", "customer_name"] as const;
const order = [
  "order_number",
  "order_date",
  "order_total",
  "order_items",
  "order_totals",
  "delivery",
  "order_url",
] as const;
const shipment = ["carrier", "tracking_number", "tracking_url", "shipment_items"] as const;
const booking = [
  "service_name",
  "booking_date",
  "booking_time",
  "booking_end_time",
  "participants",
  "location_name",
  "location_address",
] as const;
const subscription = ["plan_name", "subscription_items", "subscription_amount"] as const;

/** The variables of each message's texts. A text that uses another one is refused. */
export const templateVariables = {
  "order.confirmation": [...common, ...order, "payment_method", "payment_url"],
  "order.receipt": [...common, ...order, "payment_method", "paid_amount", "paid_at"],
  "order.cancelled": [...common, ...order, "reason"],
  "payment.failed": [...common, ...order, "amount_due", "payment_method", "payment_url"],
  "refund.issued": [...common, ...order, "refund_amount"],
  "shipment.shipped": [...common, ...order, ...shipment],
  "shipment.delivered": [...common, ...order, ...shipment],
  "booking.confirmation": [...common, ...order, ...booking],
  "booking.moved": [...common, ...order, ...booking, "previous_date", "previous_time"],
  "booking.cancelled": [...common, ...order, ...booking, "reason"],
  "booking.reminder": [...common, ...order, ...booking],
  "subscription.renewal_failed": [
    ...common,
    ...subscription,
    "reason",
    "retry_date",
    "payment_url",
  ],
  "subscription.ending": [...common, ...subscription, "end_date"],
  "support.reply": [...common, "message", "chat_url"],
  one_time_code: ["business_name", "code", "minutes"],
  "member.invitation": ["business_name", "role", "console_url"],
  "provider.invalid": ["business_name", "provider", "reason", "console_url"],
} as const satisfies Readonly<Record<MessageName, readonly string[]>>;

type TemplateVariables = typeof templateVariables;

/** A variable of a message's texts. */
export type VariableOf<N extends MessageName> = TemplateVariables[N][number];

export type VariableName = VariableOf<MessageName>;

export const variablePattern = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The variables of a text that the message does not have. */
export const findUnknownVariables = (name: MessageName, text: string): string[] => {
  const known: readonly string[] = templateVariables[name];
  return [...text.matchAll(variablePattern)]
    .map(([, variable = ""]) => variable)
    .filter((variable) => !known.includes(variable));
};
