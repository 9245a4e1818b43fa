import { z } from "@hono/zod-openapi";
import { isLocationOf, type ShopContext } from "../../../shared/businesses/index.ts";
import { merchantCatalogue } from "../../../shared/catalogue/index.ts";
import {
  adjustStock,
  listStockLevels,
  listStockMovements,
  type StockLevelCursor,
  type StockLevelKey,
  setStockLevel,
} from "../../../shared/inventory/index.ts";
import { notFound } from "../../../shared/kernel/index.ts";
import { createRoutes } from "../../http/app.ts";
import { secretKey } from "../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import {
  formatNumberPosition,
  formatPairPosition,
  parseNumberPosition,
  parsePairPosition,
} from "../../wire/cursor-position.ts";
import { id, name } from "../../wire/fields.ts";
import { createPage, Page, pageQuery } from "../../wire/paging.ts";
import { createContextForLocations, createMerchantContext } from "../context.ts";
import { stockFilterQuery, toStockFilter } from "../requests/stock-query.ts";
import {
  StockLevelView,
  StockMovementView,
  viewStockLevel,
  viewStockMovement,
} from "../views/stock-level.ts";

const path = "/v1/businesses/{business_id}/inventory";
const levelPath = `${path}/{product_or_variant_id}/locations/{location_id}` as const;
const params = z.object({ business_id: id() });
const levelParams = params.extend({ product_or_variant_id: id(), location_id: id() });

const maxQuantity = 1_000_000_000;

const LevelFields = z.object({
  quantity_on_hand: z.number().int().min(0).max(maxQuantity),
  low_stock_threshold: z.number().int().min(0).max(maxQuantity).nullable().optional(),
});

const AdjustmentFields = z.object({
  delta: z.number().int().min(-maxQuantity).max(maxQuantity),
  reason: name(500),
});

export const inventory = createRoutes()
  .openapi(
    route("put", levelPath, {
      operationId: "setStockLevel",
      tag: "Inventory",
      summary: "Set the quantity on hand at a location",
      access: secretKey("inventory:write"),
      rules: ["NOT_TRACKED", "STOCK_RESERVED"],
      params: levelParams,
      body: requireJson(LevelFields),
      response: StockLevelView,
    }),
    async (c) => {
      const path = c.req.valid("param");
      const ctx = await createContextForLocations(c, [path.location_id]);
      const { quantity_on_hand, low_stock_threshold } = c.req.valid("json");
      const level = await setStockLevel(ctx, await findStockLevelKey(ctx, path), {
        quantityOnHand: quantity_on_hand,
        lowStockThreshold: low_stock_threshold,
      });
      return c.json(envelope(viewStockLevel(level, ctx.business)), 200);
    },
  )
  .openapi(
    route("post", `${levelPath}/adjustments`, {
      operationId: "adjustStockLevel",
      tag: "Inventory",
      summary: "Adjust the quantity on hand at a location, with a reason",
      access: secretKey("inventory:write"),
      rules: ["NOT_TRACKED", "STOCK_RESERVED"],
      params: levelParams,
      body: requireJson(AdjustmentFields),
      response: StockLevelView,
      status: 201,
    }),
    async (c) => {
      const path = c.req.valid("param");
      const ctx = await createContextForLocations(c, [path.location_id]);
      const level = await adjustStock(ctx, await findStockLevelKey(ctx, path), c.req.valid("json"));
      return c.json(envelope(viewStockLevel(level, ctx.business)), 201);
    },
  )
  .openapi(
    route("get", `${levelPath}/movements`, {
      operationId: "listStockMovements",
      tag: "Inventory",
      summary: "List the changes of a stock level, latest first",
      access: secretKey("inventory:read"),
      rules: ["NOT_TRACKED"],
      params: levelParams,
      query: z.object(pageQuery),
      response: Page(StockMovementView),
    }),
    async (c) => {
      const path = c.req.valid("param");
      const { limit, cursor } = c.req.valid("query");
      const ctx = await createContextForLocations(c, [path.location_id]);
      const last = parseNumberPosition(cursor);
      const movements = await listStockMovements(ctx, await findStockLevelKey(ctx, path), {
        limit: limit + 1,
        before: last && { at: last.number, id: last.id },
      });
      const page = createPage(movements, {
        limit,
        view: viewStockMovement,
        position: ({ at, id }) => formatNumberPosition(at, id),
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", path, {
      operationId: "listStockLevels",
      tag: "Inventory",
      summary: "List stock levels",
      access: secretKey("inventory:read"),
      params,
      query: z.object({ ...pageQuery, ...stockFilterQuery }),
      response: Page(StockLevelView),
    }),
    async (c) => {
      const { limit, cursor, ...filter } = c.req.valid("query");
      const ctx = createMerchantContext(c);
      const last = parsePairPosition(cursor);
      const { levels, scannedTo } = await listStockLevels(
        ctx,
        toStockFilter(filter, ctx.business),
        { limit: limit + 1, after: last && { itemId: last[0], locationId: last[1] } },
      );
      const page = createPage(levels, {
        limit,
        view: (level) => viewStockLevel(level, ctx.business),
        position: positionOf,
        resumeAt: scannedTo && positionOf(scannedTo),
      });
      return c.json(envelope(page), 200);
    },
  );

const positionOf = ({ itemId, locationId }: StockLevelCursor): string =>
  formatPairPosition(itemId, locationId);

/**
 * The key of the stock level that a path names.
 *
 * @throws Refusal NOT_FOUND for an unknown location, product or variant.
 */
async function findStockLevelKey(
  ctx: ShopContext,
  path: { product_or_variant_id: string; location_id: string },
): Promise<StockLevelKey> {
  const { location_id: locationId } = path;
  if (!isLocationOf(ctx.business, locationId)) throw notFound("location");
  const { itemId, productId } = await merchantCatalogue.findStockItem(
    ctx,
    path.product_or_variant_id,
  );
  return { itemId, productId, locationId };
}
