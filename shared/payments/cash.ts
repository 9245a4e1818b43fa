import type { PaymentProvider } from "./provider.ts";

const due = { type: "due" } as const;

/**
 * Cash, which the business collects itself. A charge stays due until the merchant marks the order
 * as paid, and a refund counts as returned when the merchant records it.
 */
export const cashProvider: PaymentProvider = {
  name: "cash",
  collectedBy: "business",
  charge: async () => due,
  authorize: async () => due,
  verify: async () => due,
  refund: async () => ({ type: "refunded" }),
  alert() {}, // the merchant records every payment
};
