import { z } from "@hono/zod-openapi";
import {
  adjustStock,
  type StockCursor,
  setStockLevel,
  stockRepo,
} from "../../../shared/inventory/index.ts";
import { area } from "../../http/app.ts";
import { secretKey } from "../../http/authentication/access.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { id, name, queryBoolean } from "../../wire/fields.ts";
import { Page, pageOf, pageQuery } from "../../wire/paging.ts";
import { contextNaming, merchantContext } from "../context.ts";
import { pairPosition, pairPositionOf } from "../requests/list-position.ts";
import { stockPlace } from "../requests/stock-place.ts";
import { StockLevelView, viewStockLevel } from "../views/stock-level.ts";

const path = "/v1/businesses/{business_id}/inventory";
const placePath = `${path}/{product_or_variant_id}/locations/{location_id}` as const;
const params = z.object({ business_id: id() });
const placeParams = params.extend({ product_or_variant_id: id(), location_id: id() });

const maxPieces = 1_000_000_000;

const LevelFields = z.object({
  quantity_on_hand: z.number().int().min(0).max(maxPieces),
  low_stock_threshold: z.number().int().min(0).max(maxPieces).nullable().optional(),
});

const AdjustmentFields = z.object({
  delta: z.number().int().min(-maxPieces).max(maxPieces),
  reason: name(500),
});

export const inventory = area()
  .openapi(
    contract("put", placePath, {
      summary: "Say how many pieces are at a location",
      access: secretKey("inventory:write"),
      params: placeParams,
      body: json(LevelFields),
      answer: StockLevelView,
    }),
    async (c) => {
      const place = c.req.valid("param");
      const ctx = await contextNaming(c, [place.location_id]);
      const { quantity_on_hand, low_stock_threshold } = c.req.valid("json");
      const level = await setStockLevel(ctx, await stockPlace(ctx, place), {
        quantityOnHand: quantity_on_hand,
        lowStockThreshold: low_stock_threshold,
      });
      return c.json(answer(viewStockLevel(level, ctx.business)), 200);
    },
  )
  .openapi(
    contract("post", `${placePath}/adjustments`, {
      summary: "Add pieces, or take some away, and say why",
      access: secretKey("inventory:write"),
      params: placeParams,
      body: json(AdjustmentFields),
      answer: StockLevelView,
      status: 201,
    }),
    async (c) => {
      const place = c.req.valid("param");
      const ctx = await contextNaming(c, [place.location_id]);
      const level = await adjustStock(ctx, await stockPlace(ctx, place), c.req.valid("json"));
      return c.json(answer(viewStockLevel(level, ctx.business)), 201);
    },
  )
  .openapi(
    contract("get", path, {
      summary: "What is in stock, where",
      access: secretKey("inventory:read"),
      params,
      query: z.object({
        ...pageQuery,
        low_stock: queryBoolean().optional(),
        location_id: id().optional(),
        product_id: id().optional(),
      }),
      answer: Page(StockLevelView),
    }),
    async (c) => {
      const { limit, cursor, low_stock, location_id, product_id } = c.req.valid("query");
      const ctx = merchantContext(c);
      const last = pairPosition(cursor);
      const { levels, lookedTo } = await stockRepo(ctx).list(
        { isLow: low_stock, locationId: location_id, productId: product_id },
        { limit: limit + 1, after: last && { itemId: last[0], locationId: last[1] } },
      );
      const page = pageOf(levels, {
        limit,
        view: (level) => viewStockLevel(level, ctx.business),
        position: positionOfLevel,
        lookedTo: lookedTo && positionOfLevel(lookedTo),
      });
      return c.json(answer(page), 200);
    },
  );

const positionOfLevel = ({ itemId, locationId }: StockCursor): string =>
  pairPositionOf(itemId, locationId);
