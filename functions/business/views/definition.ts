import { z } from "@hono/zod-openapi";
import {
  type Bundle,
  bundlePricingTypes,
  type ProductRecord,
} from "../../../shared/catalogue/index.ts";
import { formatMoney, notFound } from "../../../shared/kernel/index.ts";
import {
  BundleComponents,
  CompositeGroups,
  viewComponents,
  viewGroups,
} from "../../http/views/definition.ts";
import { ProductDetail, viewProduct } from "../../http/views/product.ts";

type Priced = { currency: string };

/** A bundle as its merchant sees it: its product's fields, and its own. */
export const BundleRecordView = ProductDetail.extend({
  product_id: z.string(),
  components: BundleComponents,
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
    components: viewComponents(bundle.components),
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
  groups: CompositeGroups,
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
    groups: viewGroups(composite.groups, { currency }),
  };
}
