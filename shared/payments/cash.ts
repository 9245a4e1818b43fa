import type { PaymentProvider } from "./provider.ts";

const due = { type: "due" } as const;

/**
 * The provider for cash, which the business collects itself. The payment stays due until the
 * merchant marks the order as paid. A refund counts as done when the merchant says so.
 */
export const cashProvider: PaymentProvider = {
  name: "cash",
  collectedBy: "business",
  charge: async () => due,
  authorize: async () => due,
  verify: async () => due,
  refund: async () => ({ type: "refunded" }),
  alert() {}, // Nothing to alert: the merchant records every payment.
};
