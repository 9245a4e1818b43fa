import { z } from "@hono/zod-openapi";
import {
  type Bundle,
  merchantCatalogue,
  type ProductRecord,
} from "../../../../shared/catalogue/index.ts";
import { formatMoney, notFound } from "../../../../shared/kernel/index.ts";
import {
  BundleComponentsView,
  CompositeGroupsView,
  viewBundleComponents,
  viewCompositeGroups,
} from "../../../wire/views/catalogue/bundles-and-composites.ts";
import { ProductRecordView, viewProductRecord } from "./product.ts";

type WithCurrency = { currency: string };

/** A bundle as its merchant sees it, with its product's fields. */
export const BundleRecordView = ProductRecordView.extend({
  product_id: z.string(),
  components: BundleComponentsView,
  pricing: z.object({ type: z.enum(merchantCatalogue.bundlePricingTypes), value: z.string() }),
}).openapi("BundleRecord");
export type BundleRecordView = z.infer<typeof BundleRecordView>;

export function viewBundleRecord(
  record: ProductRecord,
  { currency }: WithCurrency,
): BundleRecordView {
  const { product } = record;
  const { bundle } = product;
  if (!bundle) throw notFound("bundle");
  return {
    ...viewProductRecord(record, { currency }),
    id: bundle.id,
    product_id: product.id,
    components: viewBundleComponents(bundle.components),
    pricing: viewPricing(bundle, { currency, fixedMinor: product.defaultPriceMinor }),
  };
}

function viewPricing(
  { pricing }: Bundle,
  { currency, fixedMinor }: WithCurrency & { fixedMinor: number },
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

/** A composite as its merchant sees it, with its product's fields. */
export const CompositeRecordView = ProductRecordView.extend({
  product_id: z.string(),
  base_price: z.string(),
  groups: CompositeGroupsView,
}).openapi("CompositeRecord");
export type CompositeRecordView = z.infer<typeof CompositeRecordView>;

export function viewCompositeRecord(
  record: ProductRecord,
  { currency }: WithCurrency,
): CompositeRecordView {
  const { product } = record;
  const { composite } = product;
  if (!composite) throw notFound("composite");
  return {
    ...viewProductRecord(record, { currency }),
    id: composite.id,
    product_id: product.id,
    base_price: formatMoney(composite.basePriceMinor, currency),
    groups: viewCompositeGroups(composite.groups, { currency }),
  };
}
