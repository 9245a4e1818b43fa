import { invalid, type Patch } from "../../kernel/index.ts";

export const planIntervals = ["day", "week", "month", "year"] as const;
export type PlanInterval = (typeof planIntervals)[number];

/**
 * How often and how much a subscriber pays. Amounts are in minor units of the business's currency.
 */
export type BillingPlan = Readonly<{
  id: string;
  name: string;
  interval: PlanInterval;
  intervalCount: number;
  priceMinor: number;
  trialDays: number;
  /** The plan is offered to orders of at least this quantity and value. */
  minQuantity: number;
  minOrderValueMinor: number;
}>;

export type NewBillingPlan = Omit<BillingPlan, "id">;
export type BillingPlanPatch = Patch<NewBillingPlan>;

/**
 * Returns the plan.
 * @throws Refusal VALIDATION_ERROR for a negative amount.
 */
export function requireValidPlan(plan: BillingPlan): BillingPlan {
  if (plan.priceMinor < 0) throw invalid("price", "must not be negative");
  if (plan.minOrderValueMinor < 0) throw invalid("min_order_value", "must not be negative");
  return plan;
}
