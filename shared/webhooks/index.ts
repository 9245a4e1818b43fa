export * from "./concurrency-limiter.ts";
export * from "./context.ts";
export * from "./deliver.ts";
export { hasFullData, type SendOutcome } from "./delivery.ts";
export * from "./delivery-log.ts";
export { eraseFullPayloads, eraseMessageEvents } from "./erase-payloads-repo.ts";
export type { LoadOrderPayloads, OrderPayload } from "./full-payloads.ts";
export {
  type DispatchWrites,
  findBusinessesWithDueWebhooks,
  findOldestDueWebhook,
} from "./outbox-repo.ts";
export { upsertPlatformReceiver } from "./platform-receiver-repo.ts";
export { endedWebhooks, purgeWebhookDeliveries } from "./purge-repo.ts";
export * from "./repo.ts";
export * from "./send-test-event.ts";
export * from "./sender.ts";
export { isSecretOutdated, signingSecretId } from "./signature.ts";
export { targetUrlProblem } from "./target-url.ts";
export * from "./webhook.ts";
export * from "./webhook-changes.ts";
