import { z } from "@hono/zod-openapi";
import {
  type Bundle,
  bundlePricingTypes,
  type ProductRecord,
} from "../../../shared/catalogue/index.ts";
import { formatMoney, notFound } from "../../../shared/kernel/index.ts";
import { ProductDetail, viewProduct } from "../../http/views/product.ts";

type Priced = { currency: string };

/** A bundle as its merchant sees it: its product's fields, and its own. */
export const BundleRecordView = ProductDetail.extend({
  product_id: z.string(),
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
  pricing: z.object({ type: z.enum(bundlePricingTypes), value: z.string() }),
}).openapi("BundleRecord");
export type BundleRecordView = z.infer<typeof BundleRecordView>;

export function viewBundleRecord(
  { product, category }: ProductRecord,
  { currency }: Priced,
): BundleRecordView {
  const { bundle } = product;
  if (!bundle) throw notFound("bundle");
  return {
    ...viewProduct(product, { currency, category }),
    id: bundle.id,
    product_id: product.id,
    components: bundle.components.map((component) => ({
      component_id: component.componentId,
      name: component.name,
      product_id: component.productId,
      default_variant_id: component.defaultVariantId,
      quantity: component.quantity,
      is_swappable: component.isSwappable,
    })),
    pricing: viewPricing(bundle, { currency, fixedMinor: product.defaultPriceMinor }),
  };
}

function viewPricing(
  { pricing }: Bundle,
  { currency, fixedMinor }: Priced & { fixedMinor: number },
) {
  switch (pricing.type) {
    case "fixed":
      return { type: pricing.type, value: formatMoney(fixedMinor, currency) };
    case "percent_off":
      return { type: pricing.type, value: pricing.percent };
    case "amount_off":
      return { type: pricing.type, value: formatMoney(pricing.amountMinor, currency) };
  }
}

/** A composite as its merchant sees it: its product's fields, and its own. */
export const CompositeRecordView = ProductDetail.extend({
  product_id: z.string(),
  base_price: z.string(),
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
}).openapi("CompositeRecord");
export type CompositeRecordView = z.infer<typeof CompositeRecordView>;

export function viewCompositeRecord(
  { product, category }: ProductRecord,
  { currency }: Priced,
): CompositeRecordView {
  const { composite } = product;
  if (!composite) throw notFound("composite");
  return {
    ...viewProduct(product, { currency, category }),
    id: composite.id,
    product_id: product.id,
    base_price: formatMoney(composite.basePriceMinor, currency),
    groups: composite.groups.map((group) => ({
      id: group.id,
      name: group.name,
      min_selections: group.minSelections,
      max_selections: group.maxSelections,
      components: group.components.map((component) => ({
        component_id: component.componentId,
        name: component.name,
        price: formatMoney(component.priceMinor, currency),
        product_id: component.productId,
      })),
    })),
  };
}
