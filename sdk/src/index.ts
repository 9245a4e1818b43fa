export * from "./business.ts";
export * from "./console.ts";
export * from "./link.ts";
export * from "./operator.ts";

export type { Connection, Socket } from "./runtime/connection.ts";
export type { SessionStore } from "./runtime/session.ts";
export type { CallOptions, ClientOptions, Fetch, List, Page, Result } from "./runtime/types.ts";
export * from "./storefront.ts";
export * from "./verify-webhook.ts";
