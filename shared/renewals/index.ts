export { processDueSubscription } from "./process-due-subscription.ts";
