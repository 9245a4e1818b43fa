import { z } from "@hono/zod-openapi";
import { archiveDeal, createDeal, dealRepo, updateDeal } from "../../../../shared/deals/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { DealView, viewDeal } from "../../../wire/views/catalogue/deal.ts";
import { merchantContext } from "../../context.ts";
import {
  DealFields,
  NewDealFields,
  readDeal,
  readNewDeal,
} from "../../requests/catalogue/deal-fields.ts";

const path = "/v1/businesses/{business_id}/deals";
const params = z.object({ business_id: id() });
const oneParams = params.extend({ deal_id: id() });

export const deals = area()
  .openapi(
    contract("get", path, {
      summary: "The business's deals, the newest first",
      access: secretKey("catalogue:read"),
      params,
      query: z.object(pageQuery),
      answer: Page(DealView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = merchantContext(c);
      const found = await dealRepo(ctx).list({ limit: limit + 1, after: idPosition(cursor) });
      const page = pageOf(found, {
        limit,
        view: (deal) => viewDeal(deal, ctx.business.currency),
        position: (deal) => deal.id,
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("get", `${path}/{deal_id}`, {
      summary: "One deal",
      access: secretKey("catalogue:read"),
      params: oneParams,
      answer: DealView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const { deal } = await dealRepo(ctx).getLive(c.req.valid("param").deal_id);
      return c.json(answer(viewDeal(deal, ctx.business.currency)), 200);
    },
  )
  .openapi(
    contract("post", path, {
      summary: "Offer a deal: with a code a coupon, without one it applies by itself",
      access: secretKey("catalogue:write"),
      params,
      body: json(NewDealFields),
      answer: DealView,
      status: 201,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const deal = await createDeal(ctx, readNewDeal(c.req.valid("json"), ctx.business));
      return c.json(answer(viewDeal(deal, ctx.business.currency)), 201);
    },
  )
  .openapi(
    contract("patch", `${path}/{deal_id}`, {
      summary: "Change a deal",
      access: secretKey("catalogue:write"),
      params: oneParams,
      body: json(DealFields),
      answer: DealView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const patch = readDeal(c.req.valid("json"), ctx.business);
      const deal = await updateDeal(ctx, c.req.valid("param").deal_id, patch);
      return c.json(answer(viewDeal(deal, ctx.business.currency)), 200);
    },
  )
  .openapi(
    contract("delete", `${path}/{deal_id}`, {
      summary: "Archive a deal; orders that have it keep it",
      access: secretKey("catalogue:write"),
      params: oneParams,
      answer: DealView,
    }),
    async (c) => {
      const ctx = merchantContext(c);
      const deal = await archiveDeal(ctx, c.req.valid("param").deal_id);
      return c.json(answer(viewDeal(deal, ctx.business.currency)), 200);
    },
  );
