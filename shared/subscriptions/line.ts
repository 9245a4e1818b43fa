import type { BillingPlan } from "../catalogue/index.ts";
import type { LineConfiguration } from "../pricing/index.ts";

/**
 * What the payment of an order line means to a subscription: it begins one, or it pays for the next
 * period of one. It stands with the line, so that whoever records the payment knows it without asking.
 */
export type LineSubscription =
  | Readonly<{
      type: "new";
      plan: BillingPlan;
      configuration: LineConfiguration;
      /** Whose phone is asked at every renewal; null for other ways to pay. */
      mobileMoney: Readonly<{ phoneNumber: string; provider: string }> | null;
    }>
  | Readonly<{ type: "renewal"; subscriptionId: string }>;
