export * from "./agent-session.ts";
export * from "./capabilities.ts";
export type { Platform, PublicJwk } from "./platform.ts";
export * from "./release.ts";
export { base64Digest } from "./signatures/content-digest.ts";
export type { SignedMessage } from "./signatures/message.ts";
export { type SigningKey, signMessage } from "./signatures/sign-message.ts";
export { type Verification, verifyMessage } from "./signatures/verify-message.ts";
