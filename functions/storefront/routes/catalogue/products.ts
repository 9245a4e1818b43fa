import { z } from "@hono/zod-openapi";
import { findStockedPage, type StockedProductPage } from "../../../../shared/availability/index.ts";
import {
  type AtVersion,
  type CatalogueReader,
  type InventoryType,
  productListing,
  storefrontCatalogue,
  type Variant,
  withLocationPrices,
} from "../../../../shared/catalogue/index.ts";
import { invalid, notFound } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { publicAddressOf, requireKey } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";

import { id, idOrSlug, type PublicAddress, text } from "../../../wire/fields.ts";
import { Page } from "../../../wire/paging.ts";
import {
  OfferedVariantView,
  ProductDetailView,
  ProductListEntryView,
  VariantAxisView,
  viewProductDetail,
  viewProductListEntry,
  viewVariant,
  viewVariantAxes,
} from "../../../wire/views/catalogue/product.ts";
import { createCatalogueReader, respondCached, stockTtlMs } from "../../cache/cached-responses.ts";
import {
  locationCacheKey,
  ProductQuery,
  parseListQuery,
  requireLocationIfNamed,
} from "../../requests/product-query.ts";

const access = publishableKey;
const params = z.object({ product_id: idOrSlug() });
const variantParams = params.extend({ variant_id: id() });
const axisSelections = requireJson(
  z.object({
    axis_selections: z
      .record(text(100), text(200))
      .refine((chosen) => Object.keys(chosen).length > 0, "must contain at least one axis"),
  }),
);

export const catalogueProducts = createRoutes()
  .openapi(
    route("get", "/catalogue/products", {
      operationId: "listProducts",
      tag: "Products",
      summary: "List products",
      access,
      hasEntityTag: true,
      query: ProductQuery,
      response: Page(ProductListEntryView),
    }),
    async (c) => {
      const { business } = requireKey(c);
      const options = { currency: business.currency, address: publicAddressOf(c) };
      const { list, query } = await parseListQuery(c.req.valid("query"), business);
      const load = async (reader: CatalogueReader) => {
        const { version, data } = await productListing.listProducts(reader, query);
        const { items, next } = requirePageReached(data, query);
        const pagination = {
          limit: query.limit,
          next_cursor: next && (await productListing.encodeCursor(list, next)),
          has_more: next !== null,
        };
        const entries = items.map((product) => viewProductListEntry(product, options));
        return { version, data: { items: entries, pagination } };
      };
      // Not cached, because stock changes without a new catalogue version.
      if (query.filters.isInStock !== null)
        return c.json(envelope((await load(createCatalogueReader(c))).data), 200);
      const variantKey = locationCacheKey(query.filters.locationId);
      return respondCached(c, load, { variantKey, ttlMs: () => stockTtlMs });
    },
  )
  .openapi(
    route("get", "/catalogue/products/{product_id}", {
      operationId: "getProduct",
      tag: "Products",
      summary: "Get a product by id or slug",
      access,
      hasEntityTag: true,
      params,
      query: z.object({ location_id: text(128).optional() }),
      response: ProductDetailView,
    }),
    (c) => {
      const { business } = requireKey(c);
      const options = { currency: business.currency, address: publicAddressOf(c) };
      const { product_id } = c.req.valid("param");
      const locationId = requireLocationIfNamed(business, c.req.valid("query").location_id);
      const load = async (reader: CatalogueReader) =>
        viewFoundProduct(await findStockedPage(reader, product_id, locationId), (page) =>
          viewProductPage(page, { ...options, locationId }),
        );
      const variantKey = locationCacheKey(locationId);
      return respondCached(c, load, { variantKey, ttlMs: stockTtlOf });
    },
  )
  .openapi(
    route("get", "/catalogue/products/{product_id}/variants", {
      operationId: "listProductVariants",
      tag: "Products",
      summary: "List a product's variants",
      access,
      hasEntityTag: true,
      params,
      response: z.array(OfferedVariantView),
    }),
    (c) => {
      const { business } = requireKey(c);
      const { product_id } = c.req.valid("param");
      const load = async (reader: CatalogueReader) =>
        viewFoundProduct(await findStockedPage(reader, product_id), (page) =>
          page.product.variants.map((variant) => viewOfferedVariant(variant, page, business)),
        );
      return respondCached(c, load, { ttlMs: () => stockTtlMs });
    },
  )
  .openapi(
    route("get", "/catalogue/products/{product_id}/variant-axes", {
      operationId: "listVariantAxes",
      tag: "Products",
      summary: "List the axes of a product's variants",
      access,
      hasEntityTag: true,
      params,
      response: z.object({ axes: z.array(VariantAxisView) }),
    }),
    (c) => {
      const { product_id } = c.req.valid("param");
      return respondCached(c, async (reader) =>
        viewFoundProduct(
          await storefrontCatalogue.findProductPage(reader, product_id),
          ({ product }) => ({
            axes: viewVariantAxes(product),
          }),
        ),
      );
    },
  )
  .openapi(
    route("get", "/catalogue/products/{product_id}/variants/{variant_id}", {
      operationId: "getProductVariant",
      tag: "Products",
      summary: "Get a variant",
      access,
      hasEntityTag: true,
      params: variantParams,
      response: OfferedVariantView,
    }),
    (c) => {
      const { business } = requireKey(c);
      const { product_id, variant_id } = c.req.valid("param");
      const load = async (reader: CatalogueReader) =>
        viewFoundProduct(await findStockedPage(reader, product_id), (page) => {
          const variant = page.product.variants.find(({ id }) => id === variant_id);
          if (!variant) throw notFound("variant");
          return viewOfferedVariant(variant, page, business);
        });
      return respondCached(c, load, { ttlMs: () => stockTtlMs });
    },
  )
  .openapi(
    route("post", "/catalogue/products/{product_id}/variants/find", {
      operationId: "findProductVariant",
      tag: "Products",
      summary: "Find the variant with the chosen axis values",
      access,
      params,
      body: axisSelections,
      response: OfferedVariantView,
    }),
    async (c) => {
      const { data } = await findStockedPage(
        createCatalogueReader(c),
        c.req.valid("param").product_id,
      );
      if (!data) throw notFound("product");
      const variant = storefrontCatalogue.findVariant(
        data.product,
        c.req.valid("json").axis_selections,
      );
      if (!variant) throw notFound("variant");
      return c.json(envelope(viewOfferedVariant(variant, data, requireKey(c).business)), 200);
    },
  );

/** Sales change the detail of a product with counted stock; every other one changes by writes alone. */
const stockTtlOf = ({
  inventory_type,
}: Readonly<{ inventory_type: InventoryType }>): number | null =>
  inventory_type === "none" ? null : stockTtlMs;

/**
 * Returns the page. Refuses a page number that the scan did not reach, because an empty page would
 * look like the end of the list.
 *
 * @throws Refusal VALIDATION_ERROR when the scan did not reach the page.
 */
function requirePageReached(
  page: productListing.ProductListPage,
  { start }: productListing.ProductListQuery,
): productListing.ProductListPage {
  const isLaterPage = "offset" in start && start.offset > 0;
  if (!isLaterPage || page.items.length > 0 || page.next === null) return page;
  throw invalid("page", "is too deep for these filters; follow next_cursor instead");
}

/** The page at a location's prices and stock. */
function viewProductPage(
  { product, category, isInStock, stockedVariantIds }: StockedProductPage,
  { locationId, ...options }: PageViewOptions,
): ProductDetailView {
  const priced = withLocationPrices(product, locationId);
  const detail = viewProductDetail(priced, { ...options, category });
  const variants = detail.variants.map((variant) => ({
    ...variant,
    in_stock: stockedVariantIds.has(variant.id),
  }));
  return { ...detail, variants, in_stock: isInStock };
}

type PageViewOptions = Readonly<{
  currency: string;
  address: PublicAddress;
  locationId: string | null;
}>;

const viewOfferedVariant = (
  variant: Variant,
  { product, stockedVariantIds }: StockedProductPage,
  options: Readonly<{ currency: string }>,
): OfferedVariantView => ({
  ...viewVariant(variant, product, options),
  in_stock: stockedVariantIds.has(variant.id),
});

/** @throws Refusal NOT_FOUND for an unknown or inactive product. */
function viewFoundProduct<P, T>(
  { version, data }: AtVersion<P | null>,
  view: (page: P) => T,
): AtVersion<T> {
  if (!data) throw notFound("product");
  return { version, data: view(data) };
}
