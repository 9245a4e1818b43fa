import { z } from "@hono/zod-openapi";
import { type CatalogueReader, storefrontCatalogue } from "../../../../shared/catalogue/index.ts";
import { notFound, parseMoney } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { publicAddressOf, requireKey } from "../../../http/context.ts";
import { route } from "../../../http/contract.ts";
import { idOrSlug, moneyText, queryInteger } from "../../../wire/fields.ts";
import { BillingPlanView, viewBillingPlan } from "../../../wire/views/catalogue/billing-plan.ts";
import {
  ProductListEntryView,
  viewProductListEntry,
} from "../../../wire/views/catalogue/product.ts";
import { respondCached, stockTtlMs } from "../../cache/cached-responses.ts";

const access = publishableKey;
const query = z.object({
  quantity: queryInteger(1, 10_000).optional(),
  order_value: moneyText().optional(),
});

const OfferedPlanView = BillingPlanView.extend({
  products: z.array(ProductListEntryView),
}).openapi("OfferedBillingPlan");

export const catalogueBillingPlans = createRoutes()
  .openapi(
    route("get", "/catalogue/billing-plans", {
      operationId: "listBillingPlans",
      tag: "Billing plans",
      summary: "List the billing plans with the products that can be subscribed to",
      access,
      hasEntityTag: true,
      response: z.array(OfferedPlanView),
    }),
    (c) => {
      const { business } = requireKey(c);
      const options = { currency: business.currency, address: publicAddressOf(c) };
      const load = async (reader: CatalogueReader) => {
        const { version, data } = await storefrontCatalogue.listOfferedPlans(reader);
        const plans = data.map(({ plan, products }) => ({
          ...viewBillingPlan(plan, business),
          products: products.map((product) => viewProductListEntry(product, options)),
        }));
        return { version, data: plans };
      };
      return respondCached(c, load, { ttlMs: () => stockTtlMs });
    },
  )
  .openapi(
    route("get", "/catalogue/products/{product_id}/billing-plans/eligible", {
      operationId: "listEligibleBillingPlans",
      tag: "Billing plans",
      summary: "List the billing plans that a product can be subscribed to with",
      access,
      params: z.object({ product_id: idOrSlug() }),
      query,
      response: z.array(BillingPlanView),
    }),
    (c) => {
      const { business } = requireKey(c);
      const { quantity = null, order_value } = c.req.valid("query");
      const valueMinor =
        order_value === undefined
          ? null
          : parseMoney(order_value, business.currency, "order_value");
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
