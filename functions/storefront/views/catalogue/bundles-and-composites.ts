import { z } from "@hono/zod-openapi";
import type { storefrontCatalogue } from "../../../../shared/catalogue/index.ts";
import { formatMoney } from "../../../../shared/kernel/index.ts";
import {
  BundleComponentsView,
  CompositeGroupsView,
  viewBundleComponents,
  viewCompositeGroups,
} from "../../../wire/views/catalogue/bundles-and-composites.ts";
import { mainImageUrl } from "../../../wire/views/catalogue/product.ts";

type WithCurrency = { currency: string };

export const BundleListEntryView = z
  .object({
    id: z.string(),
    product_id: z.string(),
    name: z.string(),
    slug: z.string(),
    default_price: z.string(),
    currency: z.string(),
    image_url: z.string().nullable(),
  })
  .openapi("BundleListEntry");
export type BundleListEntryView = z.infer<typeof BundleListEntryView>;

export const BundleDetailView = BundleListEntryView.extend({
  description: z.string(),
  components: BundleComponentsView,
}).openapi("BundleDetail");
export type BundleDetailView = z.infer<typeof BundleDetailView>;

export const viewBundleListEntry = (
  bundle: storefrontCatalogue.ListedBundle,
  { currency }: WithCurrency,
): BundleListEntryView => ({
  id: bundle.id,
  product_id: bundle.productId,
  name: bundle.name,
  slug: bundle.slug,
  default_price: formatMoney(bundle.defaultPriceMinor, currency),
  currency,
  image_url: mainImageUrl(bundle),
});

export const viewBundleDetail = (
  bundle: storefrontCatalogue.ListedBundle,
  priced: WithCurrency,
): BundleDetailView => ({
  ...viewBundleListEntry(bundle, priced),
  description: bundle.description,
  components: viewBundleComponents(bundle.components),
});

export const CompositeListEntryView = z
  .object({
    id: z.string(),
    product_id: z.string(),
    name: z.string(),
    base_price: z.string(),
    currency: z.string(),
    image_url: z.string().nullable(),
  })
  .openapi("CompositeListEntry");
export type CompositeListEntryView = z.infer<typeof CompositeListEntryView>;

export const CompositeDetailView = CompositeListEntryView.extend({
  groups: CompositeGroupsView,
}).openapi("CompositeDetail");
export type CompositeDetailView = z.infer<typeof CompositeDetailView>;

export const viewCompositeListEntry = (
  composite: storefrontCatalogue.ListedComposite,
  { currency }: WithCurrency,
): CompositeListEntryView => ({
  id: composite.id,
  product_id: composite.productId,
  name: composite.name,
  base_price: formatMoney(composite.basePriceMinor, currency),
  currency,
  image_url: mainImageUrl(composite),
});

export const viewCompositeDetail = (
  composite: storefrontCatalogue.ListedComposite,
  priced: WithCurrency,
): CompositeDetailView => ({
  ...viewCompositeListEntry(composite, priced),
  groups: viewCompositeGroups(composite.groups, priced),
});
