export * from "./africas-talking.ts";
export * from "./console.ts";
export * from "./message.ts";
export * from "./resend.ts";
export * from "./sender.ts";
export * from "./twilio.ts";
