import { z } from "@hono/zod-openapi";
import {
  type AtVersion,
  compositeLimits,
  productRepo,
  storefrontCatalogue,
  withLocationPrices,
} from "../../../../shared/catalogue/index.ts";
import { formatMoney, notFound } from "../../../../shared/kernel/index.ts";
import { priceComposite } from "../../../../shared/pricing/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { publicAddressOf, type RequestContext, requireKey } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";

import { id, name, text } from "../../../wire/fields.ts";
import { createPage, pageHeaders, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createCatalogueReader, respondCached } from "../../cache/cached-responses.ts";
import { requireLocationIfNamed } from "../../requests/product-query.ts";
import { componentQuantity } from "../../requests/selection-fields.ts";
import {
  BundleDetailView,
  BundleListEntryView,
  CompositeDetailView,
  CompositeListEntryView,
  viewBundleDetail,
  viewBundleListEntry,
  viewCompositeDetail,
  viewCompositeListEntry,
} from "../../views/catalogue/bundles-and-composites.ts";

const access = publishableKey;
const bundleParams = z.object({ bundle_id: id() });
const compositeParams = z.object({ composite_id: id() });
const productParams = z.object({ product_id: id() });

const SelectionsBody = requireJson(
  z.object({
    selections: z
      .array(
        z.object({
          component_id: name(128),
          quantity: componentQuantity(),
          variant_id: id().nullish(),
          add_on_option_id: id().nullish(),
        }),
      )
      .min(1)
      .max(compositeLimits.selections),
    location_id: id().nullish(),
  }),
);

const CompositePriceView = z
  .object({
    composite_id: z.string(),
    base_price: z.string(),
    components_total: z.string(),
    subtotal: z.string(),
    currency: z.string(),
    is_complete: z.boolean(),
    /** The groups below their minimum, each with the units that are still to be chosen. */
    missing: z.array(
      z.object({ group_id: z.string(), name: z.string(), quantity: z.number().int() }),
    ),
  })
  .openapi("CompositePrice");

const viewOptions = (c: RequestContext) => ({
  currency: requireKey(c).business.currency,
  address: publicAddressOf(c),
});

export const catalogueBundlesAndComposites = createRoutes()
  .openapi(
    route("get", "/catalogue/bundles", {
      operationId: "listBundles",
      tag: "Bundles",
      summary: "List bundles",
      access,
      hasEntityTag: true,
      query: z.object({ ...pageQuery, search: text(200).optional() }),
      response: z.array(BundleListEntryView),
    }),
    (c) => {
      const { search, limit, cursor } = c.req.valid("query");
      const after = parseIdPosition(cursor, "bun_");
      return respondCached(c, async (reader) => {
        const filter = { search: search?.trim() || null, limit: limit + 1, after };
        const { version, data } = await storefrontCatalogue.listBundles(reader, filter);
        const page = createPage(data, {
          limit,
          view: (bundle) => viewBundleListEntry(bundle, viewOptions(c)),
          position: ({ id }) => id,
        });
        return { version, data: page.items, headers: pageHeaders(page) };
      });
    },
  )
  .openapi(
    route("get", "/catalogue/bundles/{bundle_id}", {
      operationId: "getBundle",
      tag: "Bundles",
      summary: "Get a bundle",
      access,
      hasEntityTag: true,
      params: bundleParams,
      response: BundleDetailView,
    }),
    (c) =>
      respondCached(c, async (reader) => {
        const { version, data } = await storefrontCatalogue.findBundle(
          reader,
          c.req.valid("param").bundle_id,
        );
        if (!data) throw notFound("bundle");
        return { version, data: viewBundleDetail(data, viewOptions(c)) };
      }),
  )
  .openapi(
    route("get", "/catalogue/bundles/by-product/{product_id}", {
      operationId: "getProductBundle",
      tag: "Bundles",
      summary: "Get the bundle of a product",
      access,
      hasEntityTag: true,
      params: productParams,
      response: BundleDetailView,
    }),
    (c) =>
      respondCached(c, async (reader) => {
        const { version, data } = await storefrontCatalogue.findBundleByProduct(
          reader,
          c.req.valid("param").product_id,
        );
        if (!data) throw notFound("bundle");
        return { version, data: viewBundleDetail(data, viewOptions(c)) };
      }),
  )
  .openapi(
    route("get", "/catalogue/composites", {
      operationId: "listComposites",
      tag: "Composites",
      summary: "List composites",
      access,
      hasEntityTag: true,
      query: z.object(pageQuery),
      response: z.array(CompositeListEntryView),
    }),
    (c) => {
      const { limit, cursor } = c.req.valid("query");
      const after = parseIdPosition(cursor, "comp_");
      return respondCached(c, async (reader) => {
        const range = { limit: limit + 1, after };
        const { version, data } = await storefrontCatalogue.listComposites(reader, range);
        const page = createPage(data, {
          limit,
          view: (composite) => viewCompositeListEntry(composite, viewOptions(c)),
          position: ({ id }) => id,
        });
        return { version, data: page.items, headers: pageHeaders(page) };
      });
    },
  )
  .openapi(
    route("get", "/catalogue/composites/{composite_id}", {
      operationId: "getComposite",
      tag: "Composites",
      summary: "Get a composite",
      access,
      hasEntityTag: true,
      params: compositeParams,
      response: CompositeDetailView,
    }),
    (c) =>
      respondCached(c, async (reader) =>
        viewFoundComposite(
          await storefrontCatalogue.findComposite(reader, c.req.valid("param").composite_id),
          viewOptions(c),
        ),
      ),
  )
  .openapi(
    route("get", "/catalogue/composites/by-product/{product_id}", {
      operationId: "getProductComposite",
      tag: "Composites",
      summary: "Get the composite of a product",
      access,
      hasEntityTag: true,
      params: productParams,
      response: CompositeDetailView,
    }),
    (c) =>
      respondCached(c, async (reader) =>
        viewFoundComposite(
          await storefrontCatalogue.findCompositeByProduct(reader, c.req.valid("param").product_id),
          viewOptions(c),
        ),
      ),
  )
  .openapi(
    route("post", "/catalogue/composites/{composite_id}/calculate-price", {
      operationId: "calculateCompositePrice",
      tag: "Composites",
      summary: "Calculate the price of a composite's selections",
      access,
      rules: ["SELECTION_INVALID"],
      params: compositeParams,
      body: SelectionsBody,
      response: CompositePriceView,
    }),
    async (c) => {
      const { business } = requireKey(c);
      const { currency } = business;
      const { composite_id } = c.req.valid("param");
      const body = c.req.valid("json");
      const locationId = requireLocationIfNamed(business, body.location_id ?? undefined);
      const record = await productRepo(createCatalogueReader(c)).findByComposite(composite_id);
      const products = record.products.map((product) => withLocationPrices(product, locationId));
      const parent = products.find(
        ({ composite, isActive }) => isActive && composite?.id === composite_id,
      );
      if (!parent?.composite) throw notFound("composite");
      const price = priceComposite(
        parent.composite,
        new Map(products.map((product) => [product.id, product])),
        body.selections.map((selection) => ({
          componentId: selection.component_id,
          quantity: selection.quantity,
          variantId: selection.variant_id ?? null,
          addOnOptionId: selection.add_on_option_id ?? null,
        })),
      );
      return c.json(
        envelope({
          composite_id,
          base_price: formatMoney(price.basePriceMinor, currency),
          components_total: formatMoney(price.componentsTotalMinor, currency),
          subtotal: formatMoney(price.subtotalMinor, currency),
          currency,
          is_complete: price.missing.length === 0,
          missing: price.missing.map(({ group: { id, name }, quantity }) => ({
            group_id: id,
            name,
            quantity,
          })),
        }),
        200,
      );
    },
  );

/** @throws Refusal NOT_FOUND when the composite is unknown or its product is inactive. */
function viewFoundComposite(
  { version, data }: AtVersion<storefrontCatalogue.ListedComposite | null>,
  options: ReturnType<typeof viewOptions>,
): AtVersion<CompositeDetailView> {
  if (!data) throw notFound("composite");
  return { version, data: viewCompositeDetail(data, options) };
}
