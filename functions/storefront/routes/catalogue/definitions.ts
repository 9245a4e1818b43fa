import { z } from "@hono/zod-openapi";
import {
  type AtVersion,
  atLocation,
  definitionLimits,
  definitionListingRepo,
  type ListedComposite,
  productRepo,
} from "../../../../shared/catalogue/index.ts";
import { formatMoney, notFound } from "../../../../shared/kernel/index.ts";
import { priceComposite } from "../../../../shared/pricing/index.ts";
import { area } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { keyed } from "../../../http/context.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { id, name, pageLimit, text } from "../../../wire/fields.ts";
import { cachedRead, readerOf } from "../../cached-read.ts";
import { knownLocation } from "../../requests/product-query.ts";
import { pieces } from "../../requests/selection-fields.ts";
import {
  BundleDetail,
  BundleListEntry,
  CompositeDetail,
  CompositeListEntry,
  viewBundle,
  viewBundleDetail,
  viewComposite,
  viewCompositeDetail,
} from "../../views/catalogue/definition.ts";

const access = publishableKey;
const bundleParams = z.object({ bundle_id: id() });
const compositeParams = z.object({ composite_id: id() });
const productParams = z.object({ product_id: id() });

const selections = json(
  z.object({
    selections: z
      .array(
        z.object({
          component_id: name(128),
          quantity: pieces(),
          variant_id: id().nullish(),
          add_on_option_id: id().nullish(),
        }),
      )
      .min(1)
      .max(definitionLimits.selections),
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
  })
  .openapi("CompositePrice");

export const catalogueDefinitions = area()
  .openapi(
    contract("get", "/catalogue/bundles", {
      summary: "Bundles",
      access,
      query: z.object({ search: text(200).optional(), limit: pageLimit() }),
      answer: z.array(BundleListEntry),
    }),
    (c) => {
      const { business } = keyed(c);
      const { search, limit } = c.req.valid("query");
      return cachedRead(c, async (reader) => {
        const asked = { search: search?.trim() || null, limit };
        const { version, data } = await definitionListingRepo(reader).listBundles(asked);
        return { version, data: data.map((bundle) => viewBundle(bundle, business)) };
      });
    },
  )
  .openapi(
    contract("get", "/catalogue/bundles/{bundle_id}", {
      summary: "One bundle",
      access,
      params: bundleParams,
      answer: BundleDetail,
    }),
    (c) =>
      cachedRead(c, async (reader) => {
        const { version, data } = await definitionListingRepo(reader).findBundle(
          c.req.valid("param").bundle_id,
        );
        if (!data) throw notFound("bundle");
        return { version, data: viewBundleDetail(data, keyed(c).business) };
      }),
  )
  .openapi(
    contract("get", "/catalogue/composites", {
      summary: "Composites",
      access,
      query: z.object({ limit: pageLimit() }),
      answer: z.array(CompositeListEntry),
    }),
    (c) =>
      cachedRead(c, async (reader) => {
        const { version, data } = await definitionListingRepo(reader).listComposites(
          c.req.valid("query"),
        );
        return {
          version,
          data: data.map((composite) => viewComposite(composite, keyed(c).business)),
        };
      }),
  )
  .openapi(
    contract("get", "/catalogue/composites/{composite_id}", {
      summary: "One composite",
      access,
      params: compositeParams,
      answer: CompositeDetail,
    }),
    (c) =>
      cachedRead(c, async (reader) =>
        shown(
          await definitionListingRepo(reader).findComposite(c.req.valid("param").composite_id),
          keyed(c).business,
        ),
      ),
  )
  .openapi(
    contract("get", "/catalogue/composites/by-product/{product_id}", {
      summary: "The composite behind a product",
      access,
      params: productParams,
      answer: CompositeDetail,
    }),
    (c) =>
      cachedRead(c, async (reader) =>
        shown(
          await definitionListingRepo(reader).findCompositeOf(c.req.valid("param").product_id),
          keyed(c).business,
        ),
      ),
  )
  .openapi(
    contract("post", "/catalogue/composites/{composite_id}/calculate-price", {
      summary: "What a composite costs as chosen",
      access,
      params: compositeParams,
      body: selections,
      answer: CompositePriceView,
    }),
    async (c) => {
      const { business } = keyed(c);
      const { currency } = business;
      const { composite_id } = c.req.valid("param");
      const body = c.req.valid("json");
      const locationId = knownLocation(business, body.location_id ?? undefined);
      const read = await productRepo(readerOf(c)).findOfComposite(composite_id);
      const products = read.products.map((product) => atLocation(product, locationId));
      const sold = products.find(
        ({ composite, isActive }) => isActive && composite?.id === composite_id,
      );
      if (!sold?.composite) throw notFound("composite");
      const price = priceComposite(
        sold.composite,
        new Map(products.map((product) => [product.id, product])),
        body.selections.map((one) => ({
          componentId: one.component_id,
          quantity: one.quantity,
          variantId: one.variant_id ?? null,
          addOnOptionId: one.add_on_option_id ?? null,
        })),
      );
      return c.json(
        answer({
          composite_id,
          base_price: formatMoney(price.basePriceMinor, currency),
          components_total: formatMoney(price.componentsTotalMinor, currency),
          subtotal: formatMoney(price.subtotalMinor, currency),
          currency,
        }),
        200,
      );
    },
  );

/** A composite as it is shown; an unknown one, or one whose product is inactive, is not found. */
function shown(
  { version, data }: AtVersion<ListedComposite | null>,
  priced: { currency: string },
): AtVersion<CompositeDetail> {
  if (!data) throw notFound("composite");
  return { version, data: viewCompositeDetail(data, priced) };
}
