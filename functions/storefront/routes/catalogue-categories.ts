import { z } from "@hono/zod-openapi";
import { categoryListingRepo, listingRepo } from "../../../shared/catalogue/index.ts";
import { notFound } from "../../../shared/kernel/index.ts";
import { publishableKey } from "../../http/access.ts";
import { area } from "../../http/app.ts";
import { keyed } from "../../http/context.ts";
import { contract } from "../../http/contract.ts";
import { id, pageLimit, queryInteger } from "../../http/fields.ts";
import { CategoryView, viewCategory } from "../../http/views/category.ts";
import { ProductListEntry, viewListEntry } from "../../http/views/product.ts";
import { cachedRead } from "../cached-read.ts";
import { CategoryDetail, viewCategoryDetail } from "../views/category.ts";

const access = publishableKey;
const params = z.object({ category_id: id() });
const query = z.object({ limit: pageLimit(), offset: queryInteger(0, 1_000_000).default(0) });

const CategoryProducts = z.object({
  items: z.array(ProductListEntry),
  pagination: z.object({
    limit: z.number().int(),
    offset: z.number().int(),
    total: z.number().int(),
    has_more: z.boolean(),
  }),
});

export const catalogueCategories = area()
  .openapi(
    contract("get", "/catalogue/categories", {
      summary: "Categories",
      access,
      answer: z.array(CategoryView),
    }),
    (c) =>
      cachedRead(c, async (reader) => {
        const { version, data } = await categoryListingRepo(reader).list();
        return { version, data: data.map(viewCategory) };
      }),
  )
  .openapi(
    contract("get", "/catalogue/categories/{category_id}", {
      summary: "One category",
      access,
      params,
      answer: CategoryDetail,
    }),
    (c) =>
      cachedRead(c, async (reader) => {
        const { version, data } = await categoryListingRepo(reader).find(
          c.req.valid("param").category_id,
        );
        if (!data) throw notFound("category");
        return { version, data: viewCategoryDetail(data) };
      }),
  )
  .openapi(
    contract("get", "/catalogue/categories/{category_id}/products", {
      summary: "Products of a category",
      access,
      params,
      query,
      answer: CategoryProducts,
    }),
    (c) => {
      const { limit, offset } = c.req.valid("query");
      return cachedRead(c, async (reader) => {
        const { category_id } = c.req.valid("param");
        const { version, data } = await listingRepo(reader).inCategory(category_id, {
          limit,
          offset,
        });
        if (!data) throw notFound("category");
        const items = data.items.map((product) => viewListEntry(product, keyed(c).business));
        const has_more = offset + items.length < data.total;
        return {
          version,
          data: { items, pagination: { limit, offset, total: data.total, has_more } },
        };
      });
    },
  );
