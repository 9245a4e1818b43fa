export * from "./africas-talking.ts";
export * from "./console.ts";
export { displayName, parseSender } from "./email-address.ts";
export * from "./message.ts";
export * from "./resend.ts";
export { parseResendWebhook } from "./resend-webhook.ts";
export * from "./sender.ts";
export * from "./twilio.ts";
