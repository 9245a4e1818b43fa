import { z } from "@hono/zod-openapi";
import type { ListedBundle, ListedComposite } from "../../../../shared/catalogue/index.ts";
import { formatMoney } from "../../../../shared/kernel/index.ts";
import {
  BundleComponents,
  CompositeGroups,
  viewComponents,
  viewGroups,
} from "../../../wire/views/catalogue/definition.ts";
import { mainImageUrl } from "../../../wire/views/catalogue/product.ts";

type Priced = { currency: string };

export const BundleListEntry = z
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
export type BundleListEntry = z.infer<typeof BundleListEntry>;

export const BundleDetail = BundleListEntry.extend({
  description: z.string(),
  components: BundleComponents,
}).openapi("BundleDetail");
export type BundleDetail = z.infer<typeof BundleDetail>;

export const viewBundle = (bundle: ListedBundle, { currency }: Priced): BundleListEntry => ({
  id: bundle.id,
  product_id: bundle.productId,
  name: bundle.name,
  slug: bundle.slug,
  default_price: formatMoney(bundle.defaultPriceMinor, currency),
  currency,
  image_url: mainImageUrl(bundle),
});

export const viewBundleDetail = (bundle: ListedBundle, priced: Priced): BundleDetail => ({
  ...viewBundle(bundle, priced),
  description: bundle.description,
  components: viewComponents(bundle.components),
});

export const CompositeListEntry = z
  .object({
    id: z.string(),
    product_id: z.string(),
    name: z.string(),
    base_price: z.string(),
    currency: z.string(),
    image_url: z.string().nullable(),
  })
  .openapi("CompositeListEntry");
export type CompositeListEntry = z.infer<typeof CompositeListEntry>;

export const CompositeDetail = CompositeListEntry.extend({
  groups: CompositeGroups,
}).openapi("CompositeDetail");
export type CompositeDetail = z.infer<typeof CompositeDetail>;

export const viewComposite = (
  composite: ListedComposite,
  { currency }: Priced,
): CompositeListEntry => ({
  id: composite.id,
  product_id: composite.productId,
  name: composite.name,
  base_price: formatMoney(composite.basePriceMinor, currency),
  currency,
  image_url: mainImageUrl(composite),
});

export const viewCompositeDetail = (
  composite: ListedComposite,
  priced: Priced,
): CompositeDetail => ({
  ...viewComposite(composite, priced),
  groups: viewGroups(composite.groups, priced),
});
