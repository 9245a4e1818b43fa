import { z } from "@hono/zod-openapi";
import { type BillingPlan, planIntervals } from "../../../../shared/catalogue/index.ts";
import { formatMoney } from "../../../../shared/kernel/index.ts";

export const BillingPlanView = z
  .object({
    id: z.string(),
    name: z.string(),
    interval: z.enum(planIntervals),
    interval_count: z.number().int(),
    price: z.string().openapi({ example: "12.50" }),
    currency: z.string(),
    trial_days: z.number().int(),
    min_quantity: z.number().int(),
    min_order_value: z.string().openapi({ example: "0.00" }),
  })
  .openapi("BillingPlan");
export type BillingPlanView = z.infer<typeof BillingPlanView>;

export const viewBillingPlan = (
  plan: BillingPlan,
  { currency }: { currency: string },
): BillingPlanView => ({
  id: plan.id,
  name: plan.name,
  interval: plan.interval,
  interval_count: plan.intervalCount,
  price: formatMoney(plan.priceMinor, currency),
  currency,
  trial_days: plan.trialDays,
  min_quantity: plan.minQuantity,
  min_order_value: formatMoney(plan.minOrderValueMinor, currency),
});
