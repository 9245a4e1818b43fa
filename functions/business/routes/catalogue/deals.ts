import { z } from "@hono/zod-openapi";
import {
  archiveDeal,
  createDeal,
  dealRepo,
  dealStatuses,
  updateDeal,
} from "../../../../shared/deals/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id, name } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import {
  DealFields,
  NewDealFields,
  toDealPatch,
  toNewDeal,
} from "../../requests/catalogue/deal-fields.ts";
import { MerchantDealView, viewMerchantDeal } from "../../views/catalogue/deal.ts";

const path = "/v1/businesses/{business_id}/deals";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ deal_id: id() });

export const deals = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listDeals",
      tag: "Deals",
      summary: "List deals, newest first",
      access: secretKey("catalogue:read"),
      params,
      query: z.object({
        ...pageQuery,
        search: name(100).optional(),
        status: z.enum(dealStatuses).optional(),
      }),
      response: Page(MerchantDealView),
    }),
    async (c) => {
      const { limit, cursor, ...filter } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const records = await dealRepo(ctx).list(
        { filter, now: ctx.now() },
        { limit: limit + 1, after: parseIdPosition(cursor) },
      );
      const page = createPage(records, {
        limit,
        view: (deal) => viewMerchantDeal(deal, ctx.business.currency),
        position: (deal) => deal.id,
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/{deal_id}`, {
      operationId: "getDeal",
      tag: "Deals",
      summary: "Get a deal",
      access: secretKey("catalogue:read"),
      params: oneParams,
      response: MerchantDealView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const { deal } = await dealRepo(ctx).get(c.req.valid("param").deal_id);
      return c.json(envelope(viewMerchantDeal(deal, ctx.business.currency)), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createDeal",
      tag: "Deals",
      summary: "Create a deal",
      description: "With a code it is a coupon; without one it applies automatically.",
      access: secretKey("catalogue:write"),
      params,
      body: requireJson(NewDealFields),
      response: MerchantDealView,
      status: 201,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const deal = await createDeal(ctx, toNewDeal(c.req.valid("json"), ctx.business));
      return c.json(envelope(viewMerchantDeal(deal, ctx.business.currency)), 201);
    },
  )
  .openapi(
    route("patch", `${path}/{deal_id}`, {
      operationId: "updateDeal",
      tag: "Deals",
      summary: "Update a deal",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: requireJson(DealFields),
      response: MerchantDealView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const patch = toDealPatch(c.req.valid("json"), ctx.business);
      const deal = await updateDeal(ctx, c.req.valid("param").deal_id, patch);
      return c.json(envelope(viewMerchantDeal(deal, ctx.business.currency)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{deal_id}`, {
      operationId: "archiveDeal",
      tag: "Deals",
      summary: "Archive a deal",
      description: "Existing orders keep it.",
      access: secretKey("catalogue:write"),
      params: oneParams,
      response: MerchantDealView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const deal = await archiveDeal(ctx, c.req.valid("param").deal_id);
      return c.json(envelope(viewMerchantDeal(deal, ctx.business.currency)), 200);
    },
  );
