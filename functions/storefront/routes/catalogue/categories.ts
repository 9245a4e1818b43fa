import { z } from "@hono/zod-openapi";
import {
  type CatalogueReader,
  type ListedCategory,
  productListing,
  storefrontCatalogue,
} from "../../../../shared/catalogue/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { publicAddressOf, requireKey } from "../../../http/context.ts";
import { route } from "../../../http/contract.ts";

import { id, type PublicAddress, pageLimit, queryInteger } from "../../../wire/fields.ts";

import { CategoryView, viewCategory } from "../../../wire/views/catalogue/category.ts";
import { respondCached, stockTtlMs } from "../../cache/cached-responses.ts";
import {
  isWithinDepth,
  ProductOffsetPageView,
  tooDeepIssue,
  viewProductOffsetPage,
} from "../../requests/offset-page.ts";

const CategoryDetailView = CategoryView.extend({ description: z.string() }).openapi(
  "CategoryDetail",
);
type CategoryDetailView = z.infer<typeof CategoryDetailView>;

const viewCategoryDetail = (
  category: ListedCategory,
  address: PublicAddress,
): CategoryDetailView => ({
  ...viewCategory(category, address),
  description: category.description,
});

const access = publishableKey;
const params = z.object({ category_id: id() });
const query = z
  .object({ limit: pageLimit(), offset: queryInteger(0, 1_000_000).default(0) })
  .refine(
    isWithinDepth,
    tooDeepIssue("offset", "list products by category_id and follow next_cursor"),
  );

export const catalogueCategories = createRoutes()
  .openapi(
    route("get", "/catalogue/categories", {
      operationId: "listCategories",
      tag: "Categories",
      summary: "List categories",
      access,
      hasEntityTag: true,
      response: z.array(CategoryView),
    }),
    (c) =>
      respondCached(c, async (reader) => {
        const { version, data } = await storefrontCatalogue.listCategories(reader);
        return {
          version,
          data: data.map((category) => viewCategory(category, publicAddressOf(c))),
        };
      }),
  )
  .openapi(
    route("get", "/catalogue/categories/{category_id}", {
      operationId: "getCategory",
      tag: "Categories",
      summary: "Get a category",
      access,
      hasEntityTag: true,
      params,
      response: CategoryDetailView,
    }),
    (c) =>
      respondCached(c, async (reader) => {
        const { version, data } = await storefrontCatalogue.findCategory(
          reader,
          c.req.valid("param").category_id,
        );
        if (!data) throw notFound("category");
        return { version, data: viewCategoryDetail(data, publicAddressOf(c)) };
      }),
  )
  .openapi(
    route("get", "/catalogue/categories/{category_id}/products", {
      operationId: "listCategoryProducts",
      tag: "Categories",
      summary: "List a category's products",
      access,
      hasEntityTag: true,
      params,
      query,
      response: ProductOffsetPageView,
    }),
    (c) => {
      const { limit, offset } = c.req.valid("query");
      const load = async (reader: CatalogueReader) => {
        const { category_id } = c.req.valid("param");
        const { version, data } = await productListing.listCategoryProducts(reader, category_id, {
          limit,
          offset,
        });
        if (!data) throw notFound("category");
        const { currency } = requireKey(c).business;
        const options = { limit, offset, currency, address: publicAddressOf(c) };
        return { version, data: viewProductOffsetPage(data, options) };
      };
      return respondCached(c, load, { ttlMs: () => stockTtlMs });
    },
  );
