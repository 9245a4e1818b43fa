import { z } from "@hono/zod-openapi";
import { productListing } from "../../../shared/catalogue/index.ts";
import { ProductListEntryView, viewProductListEntry } from "../../wire/views/catalogue/product.ts";

/**
 * Whether a page is near enough to the start of its list. Reading by offset gets slower with depth.
 */
export const isWithinDepth = ({ limit, offset }: { limit: number; offset: number }): boolean =>
  offset + limit <= productListing.maxPageDepth;

export const tooDeepIssue = (path: "page" | "offset", alternative: string) => ({
  path: [path],
  message: `must stay within the first ${productListing.maxPageDepth} products; ${alternative}`,
});

/** Products of a category or a collection. */
export const ProductOffsetPageView = z.object({
  items: z.array(ProductListEntryView),
  pagination: z.object({
    limit: z.number().int(),
    offset: z.number().int(),
    total: z.number().int(),
    has_more: z.boolean(),
  }),
});

type OffsetPageOptions = Readonly<{ limit: number; offset: number }> &
  Parameters<typeof viewProductListEntry>[1];

export const viewProductOffsetPage = (
  { items, total }: productListing.OffsetPage,
  { limit, offset, ...options }: OffsetPageOptions,
): z.infer<typeof ProductOffsetPageView> => ({
  items: items.map((product) => viewProductListEntry(product, options)),
  pagination: { limit, offset, total, has_more: offset + items.length < total },
});
