import { z } from "@hono/zod-openapi";
import {
  type BillingPlanPatch,
  type NewBillingPlan,
  planIntervals,
} from "../../../../shared/catalogue/index.ts";
import { omitUndefined, parseMoney } from "../../../../shared/kernel/index.ts";
import { moneyText, name } from "../../../wire/fields.ts";
import { readPrice } from "./product-fields.ts";

const count = (min: number, max: number) => z.number().int().min(min).max(max);

/** What a merchant writes of a billing plan; its currency is the business's. */
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

export const readBillingPlan = (
  fields: z.infer<typeof BillingPlanFields>,
  currency: string,
): BillingPlanPatch => ({
  name: fields.name,
  interval: fields.interval,
  intervalCount: fields.interval_count,
  priceMinor: readPrice(fields.price, currency, "price"),
  trialDays: fields.trial_days,
  minQuantity: fields.min_quantity,
  minOrderValueMinor: readPrice(fields.min_order_value, currency, "min_order_value"),
});

export const readNewBillingPlan = (
  fields: z.infer<typeof NewBillingPlanFields>,
  currency: string,
): NewBillingPlan => ({
  intervalCount: 1,
  trialDays: 0,
  minQuantity: 1,
  minOrderValueMinor: 0,
  ...omitUndefined(readBillingPlan(fields, currency)),
  name: fields.name,
  interval: fields.interval,
  priceMinor: parseMoney(fields.price, currency, "price"),
});
