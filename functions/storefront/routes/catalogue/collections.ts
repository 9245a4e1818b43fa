import { z } from "@hono/zod-openapi";
import { type CatalogueReader, collectionListingRepo } from "../../../../shared/catalogue/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import { area } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { keyed } from "../../../http/context.ts";
import { contract } from "../../../http/contract.ts";
import { idOrSlug, pageLimit, queryInteger, text } from "../../../wire/fields.ts";
import { cachedRead } from "../../cached-read.ts";
import {
  isWithinDepth,
  OffsetProducts,
  tooDeep,
  viewOffsetPage,
} from "../../requests/offset-page.ts";
import { knownLocation, soldAt } from "../../requests/product-query.ts";
import {
  CollectionDetail,
  CollectionView,
  viewCollection,
  viewCollectionDetail,
} from "../../views/catalogue/collection.ts";

const access = publishableKey;
const params = z.object({ collection_id: idOrSlug() });

const listQuery = z.object({
  search: text(200).optional(),
  limit: pageLimit(),
  location_id: text(128).optional(),
});

const elsewhere = "list products by tags and follow next_cursor";

const productsQuery = z
  .object({
    limit: pageLimit(),
    offset: queryInteger(0, 1_000_000).optional(),
    page: queryInteger(1, 10_000).optional(),
  })
  .refine(({ page, offset }) => page === undefined || offset === undefined, {
    path: ["page"],
    message: "does not go together with offset",
  })
  .refine(
    ({ limit, page = 1 }) => isWithinDepth({ limit, offset: (page - 1) * limit }),
    tooDeep("page", elsewhere),
  )
  .refine(
    ({ limit, offset = 0 }) => isWithinDepth({ limit, offset }),
    tooDeep("offset", elsewhere),
  );

export const catalogueCollections = area()
  .openapi(
    contract("get", "/catalogue/collections", {
      summary: "Collections",
      access,
      query: listQuery,
      answer: z.array(CollectionView),
    }),
    (c) => {
      const { search, limit, location_id } = c.req.valid("query");
      const locationId = knownLocation(keyed(c).business, location_id);
      const load = async (reader: CatalogueReader) => {
        const asked = { search: search?.trim() || null, limit };
        const { version, data } = await collectionListingRepo(reader).list(asked);
        return { version, data: data.map(viewCollection) };
      };
      return cachedRead(c, load, soldAt(locationId));
    },
  )
  .openapi(
    contract("get", "/catalogue/collections/{collection_id}", {
      summary: "One collection, by id or slug",
      access,
      params,
      answer: CollectionDetail,
    }),
    (c) =>
      cachedRead(c, async (reader) => {
        const { collection_id } = c.req.valid("param");
        const { version, data } = await collectionListingRepo(reader).find(collection_id);
        if (!data) throw notFound("collection");
        return { version, data: viewCollectionDetail(data) };
      }),
  )
  .openapi(
    contract("get", "/catalogue/collections/{collection_id}/products", {
      summary: "Products of a collection",
      access,
      params,
      query: productsQuery,
      answer: OffsetProducts,
    }),
    (c) => {
      const { limit, page = 1, offset = (page - 1) * limit } = c.req.valid("query");
      const { currency } = keyed(c).business;
      return cachedRead(c, async (reader) => {
        const { collection_id } = c.req.valid("param");
        const repo = collectionListingRepo(reader);
        const { version, data } = await repo.products(collection_id, { limit, offset });
        if (!data) throw notFound("collection");
        return { version, data: viewOffsetPage(data, { limit, offset, currency }) };
      });
    },
  );
