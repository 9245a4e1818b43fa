import { z } from "@hono/zod-openapi";
import { type merchantCatalogue, planIntervals } from "../../../../shared/catalogue/index.ts";
import { omitUndefined, parseMoney } from "../../../../shared/kernel/index.ts";
import { moneyText, name } from "../../../wire/fields.ts";
import { parseOptionalMoney } from "../fields.ts";

const count = (min: number, max: number) => z.number().int().min(min).max(max);

/** The fields of a billing plan; its price is in the business's currency. */
export const BillingPlanFields = z
  .object({
    name: name(),
    interval: z.enum(planIntervals),
    interval_count: count(1, 366),
    price: moneyText(),
    trial_days: count(0, 731),
    min_quantity: count(1, 10_000),
    min_order_value: moneyText(),
  })
  .partial();

export const NewBillingPlanFields = BillingPlanFields.required({
  name: true,
  interval: true,
  price: true,
});

export const toBillingPlanPatch = (
  fields: z.infer<typeof BillingPlanFields>,
  currency: string,
): merchantCatalogue.BillingPlanPatch => ({
  name: fields.name,
  interval: fields.interval,
  intervalCount: fields.interval_count,
  priceMinor: parseOptionalMoney(fields.price, currency, "price"),
  trialDays: fields.trial_days,
  minQuantity: fields.min_quantity,
  minOrderValueMinor: parseOptionalMoney(fields.min_order_value, currency, "min_order_value"),
});

export const toNewBillingPlan = (
  fields: z.infer<typeof NewBillingPlanFields>,
  currency: string,
): merchantCatalogue.NewBillingPlan => ({
  intervalCount: 1,
  trialDays: 0,
  minQuantity: 1,
  minOrderValueMinor: 0,
  ...omitUndefined(toBillingPlanPatch(fields, currency)),
  name: fields.name,
  interval: fields.interval,
  priceMinor: parseMoney(fields.price, currency, "price"),
});
