import { z } from "@hono/zod-openapi";
import {
  mainImageUrl,
  shownCompareAtPrice,
  type storefrontCatalogue,
} from "../../../../shared/catalogue/index.ts";
import { formatMoney, formatMoneyOrNull } from "../../../../shared/kernel/index.ts";
import { imageUrlAt, type PublicAddress } from "../../../wire/fields.ts";
import {
  BundleComponentsView,
  CompositeGroupsView,
  viewBundleComponents,
  viewCompositeGroups,
} from "../../../wire/views/catalogue/bundles-and-composites.ts";

type ViewOptions = Readonly<{ currency: string; address: PublicAddress }>;

export const BundleListEntryView = z
  .object({
    id: z.string(),
    product_id: z.string(),
    name: z.string(),
    slug: z.string(),
    default_price: z.string(),
    compare_at_price: z.string().nullable(),
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
  { currency, address }: ViewOptions,
): BundleListEntryView => ({
  id: bundle.id,
  product_id: bundle.productId,
  name: bundle.name,
  slug: bundle.slug,
  default_price: formatMoney(bundle.defaultPriceMinor, currency),
  compare_at_price: formatMoneyOrNull(
    shownCompareAtPrice(bundle.compareAtPriceMinor, bundle.defaultPriceMinor),
    currency,
  ),
  currency,
  image_url: imageUrlAt(address, mainImageUrl(bundle)),
});

export const viewBundleDetail = (
  bundle: storefrontCatalogue.ListedBundle,
  options: ViewOptions,
): BundleDetailView => ({
  ...viewBundleListEntry(bundle, options),
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
  { currency, address }: ViewOptions,
): CompositeListEntryView => ({
  id: composite.id,
  product_id: composite.productId,
  name: composite.name,
  base_price: formatMoney(composite.basePriceMinor, currency),
  currency,
  image_url: imageUrlAt(address, mainImageUrl(composite)),
});

export const viewCompositeDetail = (
  composite: storefrontCatalogue.ListedComposite,
  options: ViewOptions,
): CompositeDetailView => ({
  ...viewCompositeListEntry(composite, options),
  groups: viewCompositeGroups(composite.groups, options),
});
