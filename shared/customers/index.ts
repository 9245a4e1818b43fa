export * from "./contact.ts";
