import type { PaymentProvider } from "./provider.ts";

const due = { type: "due" } as const;

/**
 * Cash: the business takes it from hand to hand and says so (business-surface.md, mark-paid). There is
 * nobody to call: a charge is due until then, what was handed over stands in the payment's own record,
 * and what goes back has gone back when the business says so.
 */
export const cashProvider: PaymentProvider = {
  name: "cash",
  takenBy: "business",
  charge: async () => due,
  authorize: async () => due,
  verify: async () => due,
  refund: async () => ({ type: "refunded" }),
  alert() {}, // no money comes unseen
};
