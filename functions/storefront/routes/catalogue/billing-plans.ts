import { z } from "@hono/zod-openapi";
import { storefrontCatalogue } from "../../../../shared/catalogue/index.ts";
import { notFound, parseMoney } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { requireKey } from "../../../http/context.ts";
import { route } from "../../../http/contract.ts";
import { idOrSlug, moneyText, queryInteger } from "../../../wire/fields.ts";
import { BillingPlanView, viewBillingPlan } from "../../../wire/views/catalogue/billing-plan.ts";
import { respondCached } from "../../cache/cached-responses.ts";

const query = z.object({
  quantity: queryInteger(1, 10_000).optional(),
  order_value: moneyText().optional(),
});

export const catalogueBillingPlans = createRoutes().openapi(
  route("get", "/catalogue/products/{product_id}/billing-plans/eligible", {
    operationId: "listEligibleBillingPlans",
    tag: "Billing plans",
    summary: "List the billing plans that a product can be subscribed to with",
    access: publishableKey,
    params: z.object({ product_id: idOrSlug() }),
    query,
    response: z.array(BillingPlanView),
  }),
  (c) => {
    const { business } = requireKey(c);
    const { quantity = null, order_value } = c.req.valid("query");
    const valueMinor =
      order_value === undefined ? null : parseMoney(order_value, business.currency, "order_value");
    return respondCached(c, async (reader) => {
      const { product_id } = c.req.valid("param");
      const order = { quantity, valueMinor };
      const { version, data } = await storefrontCatalogue.findEligiblePlans(
        reader,
        product_id,
        order,
      );
      if (!data) throw notFound("product");
      return { version, data: data.map((plan) => viewBillingPlan(plan, business)) };
    });
  },
);
