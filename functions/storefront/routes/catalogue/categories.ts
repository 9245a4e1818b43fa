import { z } from "@hono/zod-openapi";
import { categoryListingRepo, listingRepo } from "../../../../shared/catalogue/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import { area } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { keyed } from "../../../http/context.ts";
import { contract } from "../../../http/contract.ts";
import { id, pageLimit, queryInteger } from "../../../wire/fields.ts";
import { CategoryView, viewCategory } from "../../../wire/views/catalogue/category.ts";
import { cachedRead } from "../../cached-read.ts";
import {
  isWithinDepth,
  OffsetProducts,
  tooDeep,
  viewOffsetPage,
} from "../../requests/offset-page.ts";
import { CategoryDetail, viewCategoryDetail } from "../../views/catalogue/category.ts";

const access = publishableKey;
const params = z.object({ category_id: id() });
const query = z
  .object({ limit: pageLimit(), offset: queryInteger(0, 1_000_000).default(0) })
  .refine(isWithinDepth, tooDeep("offset", "list products by category_id and follow next_cursor"));

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
      answer: OffsetProducts,
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
        const { currency } = keyed(c).business;
        return { version, data: viewOffsetPage(data, { limit, offset, currency }) };
      });
    },
  );
