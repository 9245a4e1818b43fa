import { z } from "@hono/zod-openapi";
import type { ListedBundle, ListedComposite } from "../../../shared/catalogue/index.ts";
import { formatMoney } from "../../../shared/kernel/index.ts";
import { mainImageUrl } from "../../http/views/product.ts";

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
  components: z.array(
    z.object({
      component_id: z.string(),
      name: z.string(),
      product_id: z.string(),
      default_variant_id: z.string().nullable(),
      quantity: z.number().int(),
      is_swappable: z.boolean(),
    }),
  ),
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
  components: bundle.components.map((component) => ({
    component_id: component.componentId,
    name: component.name,
    product_id: component.productId,
    default_variant_id: component.defaultVariantId,
    quantity: component.quantity,
    is_swappable: component.isSwappable,
  })),
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
  groups: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      min_selections: z.number().int(),
      max_selections: z.number().int(),
      components: z.array(
        z.object({
          component_id: z.string(),
          name: z.string(),
          price: z.string(),
          product_id: z.string().nullable(),
        }),
      ),
    }),
  ),
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
  groups: composite.groups.map((group) => ({
    id: group.id,
    name: group.name,
    min_selections: group.minSelections,
    max_selections: group.maxSelections,
    components: group.components.map((component) => ({
      component_id: component.componentId,
      name: component.name,
      price: formatMoney(component.priceMinor, priced.currency),
      product_id: component.productId,
    })),
  })),
});
