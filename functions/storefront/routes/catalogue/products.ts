import { z } from "@hono/zod-openapi";
import {
  type AtVersion,
  atLocation,
  type CatalogueReader,
  findProductPage,
  findVariant,
  type ListPage,
  type ListQuery,
  listingRepo,
  type ProductPage,
  writeCursor,
} from "../../../../shared/catalogue/index.ts";
import { invalid, notFound, second } from "../../../../shared/kernel/index.ts";
import { area } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { keyed } from "../../../http/context.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { chance } from "../../../runtime/runtime.ts";
import { id, idOrSlug, text } from "../../../wire/fields.ts";
import {
  ProductDetail,
  ProductListEntry,
  VariantAxisView,
  VariantView,
  viewAxes,
  viewListEntry,
  viewProduct,
  viewVariant,
} from "../../../wire/views/catalogue/product.ts";
import { cachedRead, readerOf } from "../../cached-read.ts";
import { knownLocation, listQueryOf, ProductQuery, soldAt } from "../../requests/product-query.ts";

const access = publishableKey;
const params = z.object({ product_id: idOrSlug() });
const variantParams = params.extend({ variant_id: id() });
const axisSelections = json(
  z.object({
    axis_selections: z
      .record(text(100), text(200))
      .refine((chosen) => Object.keys(chosen).length > 0, "must choose at least one axis"),
  }),
);

/**
 * Sales move the order by popularity without the catalogue's version, which would make all that is
 * remembered of it anew: such a list is kept for 5 s at most.
 */
const soldSince = (now: number): string => ` ${Math.floor(now / (5 * second))}`;

const ProductList = z.object({
  items: z.array(ProductListEntry),
  pagination: z.object({
    limit: z.number().int(),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
});

export const catalogueProducts = area()
  .openapi(
    contract("get", "/catalogue/products", {
      summary: "Products",
      access,
      query: ProductQuery,
      answer: ProductList,
    }),
    async (c) => {
      const { business } = keyed(c);
      const { list, query } = await listQueryOf(c.req.valid("query"), business);
      const view = async (page: ListPage) => {
        const { items, next } = reachedIn(page, query);
        return {
          items: items.map((product) => viewListEntry(product, business)),
          pagination: {
            limit: query.limit,
            next_cursor: next && (await writeCursor(list, next)),
            has_more: next !== null,
          },
        };
      };
      // Stock moves without the catalogue's version, so that what depends on it is not remembered.
      if (query.filters.isInStock !== null) {
        const { data } = await listingRepo(readerOf(c)).list(query);
        return c.json(answer(await view(data)), 200);
      }
      const load = async (reader: CatalogueReader) => {
        const { version, data } = await listingRepo(reader).list(query);
        return { version, data: await view(data) };
      };
      const since = query.sort.by === "popularity" ? soldSince(chance.now()) : "";
      return cachedRead(c, load, since + soldAt(query.filters.locationId));
    },
  )
  .openapi(
    contract("get", "/catalogue/products/{product_id}", {
      summary: "One product, by id or slug",
      access,
      params,
      query: z.object({ location_id: text(128).optional() }),
      answer: ProductDetail,
    }),
    (c) => {
      const { business } = keyed(c);
      const { currency } = business;
      const { product_id } = c.req.valid("param");
      const locationId = knownLocation(business, c.req.valid("query").location_id);
      const load = async (reader: CatalogueReader) =>
        shown(await findProductPage(reader, product_id), ({ product, category }) =>
          viewProduct(atLocation(product, locationId), { currency, category }),
        );
      return cachedRead(c, load, soldAt(locationId));
    },
  )
  .openapi(
    contract("get", "/catalogue/products/{product_id}/variants", {
      summary: "A product's variants",
      access,
      params,
      answer: z.array(VariantView),
    }),
    (c) => {
      const { business } = keyed(c);
      const { product_id } = c.req.valid("param");
      return cachedRead(c, async (reader) =>
        shown(await findProductPage(reader, product_id), ({ product }) =>
          product.variants.map((variant) => viewVariant(variant, business)),
        ),
      );
    },
  )
  .openapi(
    contract("get", "/catalogue/products/{product_id}/variant-axes", {
      summary: "What a product's variants differ in",
      access,
      params,
      answer: z.object({ axes: z.array(VariantAxisView) }),
    }),
    (c) => {
      const { product_id } = c.req.valid("param");
      return cachedRead(c, async (reader) =>
        shown(await findProductPage(reader, product_id), ({ product }) => ({
          axes: viewAxes(product),
        })),
      );
    },
  )
  .openapi(
    contract("get", "/catalogue/products/{product_id}/variants/{variant_id}", {
      summary: "One variant",
      access,
      params: variantParams,
      answer: VariantView,
    }),
    (c) => {
      const { business } = keyed(c);
      const { product_id, variant_id } = c.req.valid("param");
      return cachedRead(c, async (reader) =>
        shown(await findProductPage(reader, product_id), ({ product }) => {
          const variant = product.variants.find((one) => one.id === variant_id);
          if (!variant) throw notFound("variant");
          return viewVariant(variant, business);
        }),
      );
    },
  )
  .openapi(
    contract("post", "/catalogue/products/{product_id}/variants/find", {
      summary: "The variant with the chosen values",
      access,
      params,
      body: axisSelections,
      answer: VariantView,
    }),
    async (c) => {
      const { data } = await findProductPage(readerOf(c), c.req.valid("param").product_id);
      if (!data) throw notFound("product");
      const variant = findVariant(data.product, c.req.valid("json").axis_selections);
      if (!variant) throw notFound("variant");
      return c.json(answer(viewVariant(variant, keyed(c).business)), 200);
    },
  );

/**
 * A page by number counts what its filters left before it. Where the look ended on the way there, it
 * is refused: empty, it would read as the list's end, and the pages after it the same.
 */
function reachedIn(page: ListPage, { start }: ListQuery): ListPage {
  const isBehindOthers = "offset" in start && start.offset > 0;
  if (!isBehindOthers || page.items.length > 0 || page.next === null) return page;
  throw invalid("page", "lies too deep among what these filters leave; follow next_cursor instead");
}

/** A page as it is shown; an unknown or inactive product is not found. */
function shown<T>(
  { version, data }: AtVersion<ProductPage | null>,
  view: (page: ProductPage) => T,
): AtVersion<T> {
  if (!data) throw notFound("product");
  return { version, data: view(data) };
}
