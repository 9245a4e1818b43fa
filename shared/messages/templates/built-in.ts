import type { MessageName } from "../message-name.ts";

/** The texts of a message. `{{name}}` stands for a variable; an empty line begins a paragraph. */
export type TemplateTexts = Readonly<{
  subject: string;
  body: string;
  /** The text of the SMS; null for a message that only goes out by e-mail. */
  smsBody: string | null;
}>;

const greeting = "Hello {{customer_name}},";
const orderDetails = "{{order_items}}\n\n{{order_totals}}\n\n{{delivery}}\n\n{{order_url}}";
const bookingDetails =
  "{{service_name}}\n{{booking_date}}, {{booking_time}} to {{booking_end_time}}\n{{location_name}}\n{{location_address}}";

const paragraphs = (...texts: readonly string[]): string => texts.join("\n\n");

/** The texts of messages that a business has not written itself. */
export const builtInTemplates: Readonly<Record<MessageName, TemplateTexts>> = {
  "order.confirmation": {
    subject: "We have received your order {{order_number}}",
    body: paragraphs(
      greeting,
      "Thank you for your order {{order_number}} of {{order_date}}. This is what you ordered:",
      orderDetails,
    ),
    smsBody:
      "{{business_name}}: we have received your order {{order_number}}, {{order_total}}. {{order_url}}",
  },
  "order.receipt": {
    subject: "Your receipt for order {{order_number}}",
    body: paragraphs(
      greeting,
      "We have received your payment of {{paid_amount}} for order {{order_number}}. This is your receipt.",
      "Paid on {{paid_at}}\nPayment method: {{payment_method}}",
      orderDetails,
    ),
    smsBody:
      "{{business_name}}: we have received {{paid_amount}} for order {{order_number}}. {{order_url}}",
  },
  "order.cancelled": {
    subject: "Your order {{order_number}} was cancelled",
    body: paragraphs(
      greeting,
      "Your order {{order_number}} was cancelled.",
      "Reason: {{reason}}",
      "If you have paid for it, you get a message when the money is on its way back to you.",
      "{{order_items}}\n\n{{order_totals}}\n\n{{order_url}}",
    ),
    smsBody: "{{business_name}}: your order {{order_number}} was cancelled. {{order_url}}",
  },
  "payment.failed": {
    subject: "The payment for order {{order_number}} did not go through",
    body: paragraphs(
      greeting,
      "Your payment of {{amount_due}} for order {{order_number}} did not go through. Nothing was charged. You can pay again, also by another method.",
      "{{payment_url}}",
      "{{order_items}}\n\n{{order_totals}}",
    ),
    smsBody:
      "{{business_name}}: your payment of {{amount_due}} for order {{order_number}} did not go through. Pay again: {{payment_url}}",
  },
  "refund.issued": {
    subject: "A refund of {{refund_amount}} for order {{order_number}}",
    body: paragraphs(
      greeting,
      "We have refunded {{refund_amount}} of your order {{order_number}}. It depends on your bank or mobile money provider when you see it.",
      "{{order_url}}",
    ),
    smsBody:
      "{{business_name}}: we have refunded {{refund_amount}} of your order {{order_number}}. {{order_url}}",
  },
  "shipment.shipped": {
    subject: "Your order {{order_number}} is on its way",
    body: paragraphs(
      greeting,
      "These items of your order {{order_number}} are on their way:",
      "{{shipment_items}}",
      "Carrier: {{carrier}}\nTracking number: {{tracking_number}}",
      "{{tracking_url}}",
      "{{delivery}}\n\n{{order_url}}",
    ),
    smsBody:
      "{{business_name}}: your order {{order_number}} is on its way. {{carrier}} {{tracking_number}} {{tracking_url}}",
  },
  "shipment.delivered": {
    subject: "Your order {{order_number}} was delivered",
    body: paragraphs(
      greeting,
      "These items of your order {{order_number}} were delivered:",
      "{{shipment_items}}",
      "If anything is missing or damaged, answer this message.",
      "{{order_url}}",
    ),
    smsBody: "{{business_name}}: your order {{order_number}} was delivered. {{order_url}}",
  },
  "booking.confirmation": {
    subject: "Your booking: {{service_name}} on {{booking_date}}",
    body: paragraphs(
      greeting,
      "Thank you for your booking.",
      bookingDetails,
      "Participants: {{participants}}\nOrder: {{order_number}}",
      "{{order_url}}",
    ),
    smsBody:
      "{{business_name}}: {{service_name}} on {{booking_date}}, {{booking_time}}. {{location_name}} {{order_url}}",
  },
  "booking.moved": {
    subject: "Your booking was moved to {{booking_date}}, {{booking_time}}",
    body: paragraphs(
      greeting,
      "Your booking on {{previous_date}}, {{previous_time}} was moved. The new time:",
      bookingDetails,
      "{{order_url}}",
    ),
    smsBody:
      "{{business_name}}: {{service_name}} was moved to {{booking_date}}, {{booking_time}}. {{order_url}}",
  },
  "booking.cancelled": {
    subject: "Your booking on {{booking_date}} was cancelled",
    body: paragraphs(
      greeting,
      "This booking was cancelled:",
      bookingDetails,
      "Reason: {{reason}}",
      "{{order_url}}",
    ),
    smsBody:
      "{{business_name}}: {{service_name}} on {{booking_date}}, {{booking_time}} was cancelled. {{order_url}}",
  },
  "booking.reminder": {
    subject: "Reminder: {{service_name}} on {{booking_date}}, {{booking_time}}",
    body: paragraphs(
      greeting,
      "This is a reminder of your booking.",
      bookingDetails,
      "{{order_url}}",
    ),
    smsBody:
      "{{business_name}}: reminder of {{service_name}} on {{booking_date}}, {{booking_time}}. {{location_name}} {{order_url}}",
  },
  "subscription.renewal_failed": {
    subject: "The payment for your subscription did not go through",
    body: paragraphs(
      greeting,
      "We could not renew your subscription {{plan_name}}.\nReason: {{reason}}",
      "{{subscription_items}}",
      "Amount: {{subscription_amount}}\nWe try again on {{retry_date}}.",
      "{{payment_url}}",
    ),
    smsBody: null,
  },
  "subscription.ending": {
    subject: "Your subscription ends on {{end_date}}",
    body: paragraphs(
      greeting,
      "Your subscription {{plan_name}} ends on {{end_date}}. It is not charged again.",
      "{{subscription_items}}",
    ),
    smsBody: null,
  },
  "support.reply": {
    subject: "{{business_name}} has answered you",
    body: paragraphs(
      greeting,
      "{{business_name}} has answered your message:",
      "{{message}}",
      "Return to the chat to reply, in the browser in which you wrote.",
      "{{chat_url}}",
    ),
    smsBody: null,
  },
  one_time_code: {
    subject: "Your code for {{business_name}}",
    body: paragraphs(
      "This is your code for {{business_name}}:",
      "{{code}}",
      "It is valid for {{minutes}} minutes. Do not share it with anyone. If you did not request it, ignore this message.",
    ),
    smsBody:
      "{{code}} is your code for {{business_name}}. It is valid for {{minutes}} minutes. Do not share it with anyone.",
  },
  "member.invitation": {
    subject: "You are invited to {{business_name}}",
    body: paragraphs(
      "You are invited to work for {{business_name}} as {{role}}. Log in with this e-mail address within 7 days.",
      "{{console_url}}",
      "If you did not expect this, ignore it.",
    ),
    smsBody: null,
  },
  "provider.invalid": {
    subject: "{{business_name}}: {{provider}} takes no payments",
    body: paragraphs(
      "{{provider}} no longer accepts the credentials of {{business_name}}, so it takes no new payments through this account.",
      "{{reason}}",
      "{{console_url}}",
    ),
    smsBody: null,
  },
};
