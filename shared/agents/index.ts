export * from "./agent-session.ts";
export * from "./capabilities.ts";
export { type HostedChoice, hostedChoiceOf } from "./catalogue/hosted-choices.ts";
export {
  featuredVariant,
  optionsOf,
  type SelectedOption,
  selectionsOf,
  selectVariants,
  type VariantSelection,
} from "./catalogue/select-variants.ts";
export { loadPublishedKeys, loadSigningKey } from "./keys/load-signing-key.ts";
export { rotateSigningKey } from "./keys/rotate-signing-key.ts";
export {
  type PublishedKey,
  publishedUntil,
  retiredKeyTtlMs,
  toPublicJwk,
} from "./keys/signing-key.ts";
export { deleteSigningKeys } from "./keys/signing-key-repo.ts";
export type { Platform, PublicJwk } from "./platform.ts";
export type { PlatformProfile } from "./profiles/parse-profile.ts";
export { createProfileCache, type ProfileProblem } from "./profiles/profile-cache.ts";
export * from "./release.ts";
export {
  agentSessionExpiresAt,
  agentStatusOf,
  type OrderProgress,
} from "./sessions/agent-status.ts";
export { choicesOf, followCart, fulfilmentOfCart } from "./sessions/cart-changes.ts";
export { toCheckoutRequest } from "./sessions/checkout-request.ts";
export { completionProblem } from "./sessions/completion-problem.ts";
export { contactProblem } from "./sessions/contact.ts";
export { orderedSession } from "./sessions/ordered-session.ts";
export { priceAgentRequest } from "./sessions/price-request.ts";
export { buyerAction, noLines, paymentFailed, paymentUnavailable } from "./sessions/problems.ts";
export { splitName } from "./sessions/split-name.ts";
export { base64Digest } from "./signatures/content-digest.ts";
export type { SignedMessage } from "./signatures/message.ts";
export { type SigningKey, signMessage } from "./signatures/sign-message.ts";
export { type Verification, verifyMessage } from "./signatures/verify-message.ts";
