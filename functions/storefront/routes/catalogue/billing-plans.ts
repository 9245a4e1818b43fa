import { z } from "@hono/zod-openapi";
import { findEligiblePlans } from "../../../../shared/catalogue/index.ts";
import { notFound, parseMoney } from "../../../../shared/kernel/index.ts";
import { area } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { keyed } from "../../../http/context.ts";
import { contract } from "../../../http/contract.ts";
import { idOrSlug, moneyText, queryInteger, text } from "../../../wire/fields.ts";
import { BillingPlanView, viewBillingPlan } from "../../../wire/views/catalogue/billing-plan.ts";
import { cachedRead } from "../../cached-read.ts";

const query = z.object({
  customer_id: text(128).optional(),
  quantity: queryInteger(1, 10_000).optional(),
  order_value: moneyText().optional(),
});

export const catalogueBillingPlans = area().openapi(
  contract("get", "/catalogue/products/{product_id}/billing-plans/eligible", {
    summary: "The plans by which a product can be subscribed to",
    access: publishableKey,
    params: z.object({ product_id: idOrSlug() }),
    query,
    answer: z.array(BillingPlanView),
  }),
  (c) => {
    const { business } = keyed(c);
    const { quantity = null, order_value } = c.req.valid("query");
    const valueMinor =
      order_value === undefined ? null : parseMoney(order_value, business.currency, "order_value");
    return cachedRead(c, async (reader) => {
      const { product_id } = c.req.valid("param");
      const order = { quantity, valueMinor };
      const { version, data } = await findEligiblePlans(reader, product_id, order);
      if (!data) throw notFound("product");
      return { version, data: data.map((plan) => viewBillingPlan(plan, business)) };
    });
  },
);
