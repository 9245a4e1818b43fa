import { z } from "@hono/zod-openapi";
import { deepestPage, type OffsetPage } from "../../../shared/catalogue/index.ts";
import { ProductListEntry, viewListEntry } from "../../wire/views/catalogue/product.ts";

/** Whether a list is read so deep as it may; `tooDeep` tells what to do in its stead. */
export const isWithinDepth = ({ limit, offset }: { limit: number; offset: number }): boolean =>
  offset + limit <= deepestPage;

export const tooDeep = (path: "page" | "offset", instead: string) => ({
  path: [path],
  message: `must not lead beyond the first ${deepestPage} products; ${instead}`,
});

/** Products of a category or a collection (completions.md 4). */
export const OffsetProducts = z.object({
  items: z.array(ProductListEntry),
  pagination: z.object({
    limit: z.number().int(),
    offset: z.number().int(),
    total: z.number().int(),
    has_more: z.boolean(),
  }),
});

export const viewOffsetPage = (
  { items, total }: OffsetPage,
  { limit, offset, currency }: { limit: number; offset: number; currency: string },
): z.infer<typeof OffsetProducts> => ({
  items: items.map((product) => viewListEntry(product, { currency })),
  pagination: { limit, offset, total, has_more: offset + items.length < total },
});
