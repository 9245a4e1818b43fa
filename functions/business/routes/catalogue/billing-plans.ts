import { z } from "@hono/zod-openapi";
import {
  archiveBillingPlan,
  billingPlanRepo,
  createBillingPlan,
  updateBillingPlan,
} from "../../../../shared/catalogue/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { BillingPlanView, viewBillingPlan } from "../../../wire/views/catalogue/billing-plan.ts";
import { merchantContext } from "../../context.ts";
import {
  BillingPlanFields,
  NewBillingPlanFields,
  readBillingPlan,
  readNewBillingPlan,
} from "../../requests/catalogue/billing-plan-fields.ts";

const path = "/v1/businesses/{business_id}/billing-plans";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ billing_plan_id: id() });

export const billingPlans = area()
  .openapi(
    contract("get", path, {
      summary: "The business's billing plans, as they were made",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(BillingPlanView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = merchantContext(c);
      const after = idPosition(cursor);
      const found = await billingPlanRepo(ctx).list({ limit: limit + 1, after });
      const page = pageOf(found, {
        limit,
        view: ({ plan }) => viewBillingPlan(plan, ctx.business),
        position: ({ plan }) => plan.id,
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{billing_plan_id}`, {
      summary: "One billing plan",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: BillingPlanView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await billingPlanRepo(ctx).get(c.req.valid("param").billing_plan_id);
      return c.json(answer(viewBillingPlan(record.plan, ctx.business)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Make a billing plan",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewBillingPlanFields),
      answer: BillingPlanView,
      status: 201,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await createBillingPlan(
        ctx,
        readNewBillingPlan(c.req.valid("json"), ctx.business.currency),
      );
      return c.json(answer(viewBillingPlan(record.plan, ctx.business)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{billing_plan_id}`, {
      summary: "Change a billing plan",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(BillingPlanFields),
      answer: BillingPlanView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const patch = readBillingPlan(c.req.valid("json"), ctx.business.currency);
      const record = await updateBillingPlan(ctx, c.req.valid("param").billing_plan_id, patch);
      return c.json(answer(viewBillingPlan(record.plan, ctx.business)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{billing_plan_id}`, {
      summary: "Archive a billing plan: no product is offered by it any more",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: BillingPlanView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const record = await archiveBillingPlan(ctx, c.req.valid("param").billing_plan_id);
      return c.json(answer(viewBillingPlan(record.plan, ctx.business)), 200);
    },
  );
