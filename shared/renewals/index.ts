export { lookAfterSubscription } from "./look-after.ts";
