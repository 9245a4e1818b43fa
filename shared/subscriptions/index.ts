export * from "./cancel-subscription.ts";
export type { Asker } from "./change-subscription.ts";
export * from "./events.ts";
export * from "./invoice.ts";
export {
  dutyOf,
  ended,
  failed,
  isSilentTooLong,
  nextPeriod,
  passedOver,
  rescheduled,
  touched,
  unanswered,
} from "./lifecycle.ts";
export type { LineSubscription } from "./line.ts";
export * from "./pause-subscription.ts";
export * from "./period.ts";
export { subscriptionPersonalData } from "./personal-data-repo.ts";
export * from "./repo.ts";
export * from "./resume-subscription.ts";
export * from "./settle.ts";
export * from "./skip-renewal.ts";
export * from "./subscription.ts";
