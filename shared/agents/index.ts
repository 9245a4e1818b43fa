export * from "./capabilities.ts";
export type { Platform, PublicJwk } from "./platform.ts";
export * from "./release.ts";
