import { z } from "@hono/zod-openapi";
import { merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { BillingPlanView, viewBillingPlan } from "../../../wire/views/catalogue/billing-plan.ts";
import { createMerchantContext } from "../../context.ts";
import {
  BillingPlanFields,
  NewBillingPlanFields,
  toBillingPlanPatch,
  toNewBillingPlan,
} from "../../requests/catalogue/billing-plan-fields.ts";

const path = "/v1/businesses/{business_id}/billing-plans";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ billing_plan_id: id() });

export const billingPlans = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listBillingPlans",
      tag: "Billing plans",
      summary: "List billing plans, oldest first",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      response: Page(BillingPlanView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const after = parseIdPosition(cursor);
      const records = await merchantCatalogue
        .billingPlanRepo(ctx)
        .list({ limit: limit + 1, after });
      const page = createPage(records, {
        limit,
        view: ({ plan }) => viewBillingPlan(plan, ctx.business),
        position: ({ plan }) => plan.id,
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{billing_plan_id}`, {
      operationId: "getBillingPlan",
      tag: "Billing plans",
      summary: "Get a billing plan",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: BillingPlanView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue
        .billingPlanRepo(ctx)
        .get(c.req.valid("param").billing_plan_id);
      return c.json(envelope(viewBillingPlan(record.plan, ctx.business)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createBillingPlan",
      tag: "Billing plans",
      summary: "Create a billing plan",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewBillingPlanFields),
      response: BillingPlanView,
      status: 201,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue.createBillingPlan(
        ctx,
        toNewBillingPlan(c.req.valid("json"), ctx.business.currency),
      );
      return c.json(envelope(viewBillingPlan(record.plan, ctx.business)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{billing_plan_id}`, {
      operationId: "updateBillingPlan",
      tag: "Billing plans",
      summary: "Update a billing plan",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: requireJson(BillingPlanFields),
      response: BillingPlanView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const patch = toBillingPlanPatch(c.req.valid("json"), ctx.business.currency);
      const record = await merchantCatalogue.updateBillingPlan(
        ctx,
        c.req.valid("param").billing_plan_id,
        patch,
      );
      return c.json(envelope(viewBillingPlan(record.plan, ctx.business)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{billing_plan_id}`, {
      operationId: "archiveBillingPlan",
      tag: "Billing plans",
      summary: "Archive a billing plan, which then no product offers",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: BillingPlanView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const record = await merchantCatalogue.archiveBillingPlan(
        ctx,
        c.req.valid("param").billing_plan_id,
      );
      return c.json(envelope(viewBillingPlan(record.plan, ctx.business)), 200);
    },
  );
