export { changePaymentMethod } from "./change-payment-method.ts";
export { processDueSubscription } from "./process-due-subscription.ts";
export { findRenewalTotal, prefetchRenewalTax } from "./renewal-tax.ts";
