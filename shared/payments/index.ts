export * from "./payment.ts";
