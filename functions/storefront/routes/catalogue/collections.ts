import { z } from "@hono/zod-openapi";
import { type CatalogueReader, storefrontCatalogue } from "../../../../shared/catalogue/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { publicAddressOf, requireKey } from "../../../http/context.ts";
import { route } from "../../../http/contract.ts";

import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { idOrSlug, pageLimit, queryInteger, text } from "../../../wire/fields.ts";
import { createPage, pageHeaders, pageQuery } from "../../../wire/paging.ts";
import { respondCached, stockTtlMs } from "../../cache/cached-responses.ts";
import {
  isWithinDepth,
  ProductOffsetPageView,
  tooDeepIssue,
  viewProductOffsetPage,
} from "../../requests/offset-page.ts";
import { locationCacheKey, requireLocationIfNamed } from "../../requests/product-query.ts";
import {
  CollectionDetailView,
  CollectionView,
  viewCollection,
  viewCollectionDetail,
} from "../../views/catalogue/collection.ts";

const access = publishableKey;
const params = z.object({ collection_id: idOrSlug() });

const listQuery = z.object({
  ...pageQuery,
  search: text(200).optional(),
  location_id: text(128).optional(),
});

const deepPageHint = "list products by tags and follow next_cursor";

const productsQuery = z
  .object({
    limit: pageLimit(),
    offset: queryInteger(0, 1_000_000).optional(),
    page: queryInteger(1, 10_000).optional(),
  })
  .refine(({ page, offset }) => page === undefined || offset === undefined, {
    path: ["page"],
    message: "cannot be combined with offset",
  })
  .refine(
    ({ limit, page = 1 }) => isWithinDepth({ limit, offset: (page - 1) * limit }),
    tooDeepIssue("page", deepPageHint),
  )
  .refine(
    ({ limit, offset = 0 }) => isWithinDepth({ limit, offset }),
    tooDeepIssue("offset", deepPageHint),
  );

export const catalogueCollections = createRoutes()
  .openapi(
    route("get", "/catalogue/collections", {
      operationId: "listCollections",
      tag: "Collections",
      summary: "List collections",
      access,
      hasEntityTag: true,
      query: listQuery,
      response: z.array(CollectionView),
    }),
    (c) => {
      const { search, limit, cursor, location_id } = c.req.valid("query");
      const locationId = requireLocationIfNamed(requireKey(c).business, location_id);
      const last = parseNumberPosition(cursor, "col_");
      const after = last && { sortOrder: last.number, id: last.id };
      const load = async (reader: CatalogueReader) => {
        const filter = { search: search?.trim() || null, locationId, limit: limit + 1, after };
        const { version, data } = await storefrontCatalogue.listCollections(reader, filter);
        const page = createPage(data, {
          limit,
          view: (collection) => viewCollection(collection, publicAddressOf(c)),
          position: ({ sortOrder, id }) => formatNumberPosition(sortOrder, id),
        });
        return { version, data: page.items, headers: pageHeaders(page) };
      };
      return respondCached(c, load, { variantKey: locationCacheKey(locationId) });
    },
  )
  .openapi(
    route("get", "/catalogue/collections/{collection_id}", {
      operationId: "getCollection",
      tag: "Collections",
      summary: "Get a collection by id or slug",
      access,
      hasEntityTag: true,
      params,
      response: CollectionDetailView,
    }),
    (c) =>
      respondCached(c, async (reader) => {
        const { collection_id } = c.req.valid("param");
        const { version, data } = await storefrontCatalogue.findCollection(reader, collection_id);
        if (!data) throw notFound("collection");
        return { version, data: viewCollectionDetail(data, publicAddressOf(c)) };
      }),
  )
  .openapi(
    route("get", "/catalogue/collections/{collection_id}/products", {
      operationId: "listCollectionProducts",
      tag: "Collections",
      summary: "List a collection's products",
      access,
      hasEntityTag: true,
      params,
      query: productsQuery,
      response: ProductOffsetPageView,
    }),
    (c) => {
      const { limit, page = 1, offset = (page - 1) * limit } = c.req.valid("query");
      const { currency } = requireKey(c).business;
      const load = async (reader: CatalogueReader) => {
        const { collection_id } = c.req.valid("param");
        const { version, data } = await storefrontCatalogue.listCollectionProducts(
          reader,
          collection_id,
          {
            limit,
            offset,
          },
        );
        if (!data) throw notFound("collection");
        const options = { limit, offset, currency, address: publicAddressOf(c) };
        return { version, data: viewProductOffsetPage(data, options) };
      };
      return respondCached(c, load, { ttlMs: () => stockTtlMs });
    },
  );
