import { z } from "@hono/zod-openapi";
import {
  type BundlePricing,
  bundleLimits,
  compositeLimits,
  type merchantCatalogue,
} from "../../../../shared/catalogue/index.ts";
import { invalid, parseMoney } from "../../../../shared/kernel/index.ts";
import { id, moneyText, name } from "../../../wire/fields.ts";
import { parseOptionalMoney, percent } from "../fields.ts";
import {
  type ProductBusiness,
  ProductFields,
  toProductPatch,
  toProductWithDefaults,
} from "./product-fields.ts";

const BundleComponentFields = z
  .object({
    component_id: id().optional(),
    name: name(),
    product_id: id(),
    default_variant_id: id().nullable().default(null),
    quantity: z.number().int().min(1).max(bundleLimits.componentQuantity).default(1),
    is_swappable: z.boolean().default(false),
  })
  .openapi("BundleComponentFields");

const PricingFields = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("fixed"), value: moneyText().optional() }),
    z.object({ type: z.literal("percent_off"), value: percent() }),
    z.object({ type: z.literal("amount_off"), value: moneyText() }),
  ])
  .openapi("BundlePricing");

/** A bundle has no product_type. Its fixed price may be in `pricing.value` or `default_price`. */
export const BundleFields = ProductFields.omit({ product_type: true }).extend({
  components: z.array(BundleComponentFields).min(1).max(bundleLimits.components).optional(),
  pricing: PricingFields.optional(),
});
type BundleFields = z.infer<typeof BundleFields>;

export const NewBundleFields = BundleFields.required({ name: true, components: true });

const CompositeGroupFields = z
  .object({
    id: id().optional(),
    name: name(),
    min_selections: z.number().int().min(0).max(compositeLimits.groupQuantity).default(0),
    max_selections: z.number().int().min(1).max(compositeLimits.groupQuantity).default(1),
    components: z
      .array(
        z.object({
          component_id: id().optional(),
          name: name(),
          price: moneyText().default("0"),
          product_id: id().nullable().default(null),
        }),
      )
      .min(1)
      .max(200),
  })
  .openapi("CompositeGroupFields");

export const CompositeFields = ProductFields.omit({ product_type: true }).extend({
  base_price: moneyText().optional(),
  groups: z.array(CompositeGroupFields).min(1).max(50).optional(),
});
type CompositeFields = z.infer<typeof CompositeFields>;

export const NewCompositeFields = CompositeFields.required({
  name: true,
  base_price: true,
  groups: true,
});

export const toNewBundle = (
  fields: z.infer<typeof NewBundleFields>,
  business: ProductBusiness,
): merchantCatalogue.NewBundle => ({
  ...toProductWithDefaults(fields, business),
  defaultPriceMinor: bundlePrice(fields, business.currency) ?? null,
  components: fields.components.map(toComponentDraft),
  pricing: toBundlePricing(fields.pricing ?? { type: "fixed" }, business.currency),
});

export const toBundlePatch = (
  fields: BundleFields,
  business: ProductBusiness,
): merchantCatalogue.BundlePatch => ({
  ...toProductPatch(fields, business),
  defaultPriceMinor: bundlePrice(fields, business.currency),
  components: fields.components?.map(toComponentDraft),
  pricing: fields.pricing && toBundlePricing(fields.pricing, business.currency),
});

function bundlePrice(
  { default_price, pricing }: BundleFields,
  currency: string,
): number | undefined {
  const price = parseOptionalMoney(default_price, currency, "default_price");
  if (pricing?.type !== "fixed") return price;
  const fixed = parseOptionalMoney(pricing.value, currency, "pricing.value");
  if (price !== undefined && fixed !== undefined && price !== fixed) {
    throw invalid("pricing.value", "must equal default_price; send only one of them");
  }
  return fixed ?? price;
}

function toBundlePricing(pricing: z.infer<typeof PricingFields>, currency: string): BundlePricing {
  switch (pricing.type) {
    case "fixed":
      return { type: "fixed" };
    case "percent_off":
      return { type: "percent_off", percent: pricing.value };
    case "amount_off":
      return {
        type: "amount_off",
        amountMinor: parseMoney(pricing.value, currency, "pricing.value"),
      };
  }
}

const toComponentDraft = (
  component: z.infer<typeof BundleComponentFields>,
): merchantCatalogue.BundleComponentDraft => ({
  id: component.component_id,
  name: component.name,
  productId: component.product_id,
  defaultVariantId: component.default_variant_id,
  quantity: component.quantity,
  isSwappable: component.is_swappable,
});

export const toNewComposite = (
  fields: z.infer<typeof NewCompositeFields>,
  business: ProductBusiness,
): merchantCatalogue.NewComposite => ({
  ...toProductWithDefaults(fields, business),
  basePriceMinor: parseMoney(fields.base_price, business.currency, "base_price"),
  groups: toGroupDrafts(fields.groups, business.currency),
});

export const toCompositePatch = (
  fields: CompositeFields,
  business: ProductBusiness,
): merchantCatalogue.CompositePatch => ({
  ...toProductPatch(fields, business),
  basePriceMinor: parseOptionalMoney(fields.base_price, business.currency, "base_price"),
  groups: fields.groups && toGroupDrafts(fields.groups, business.currency),
});

const toGroupDrafts = (
  groups: readonly z.infer<typeof CompositeGroupFields>[],
  currency: string,
): merchantCatalogue.CompositeGroupDraft[] =>
  groups.map((group, index) => ({
    id: group.id,
    name: group.name,
    minSelections: group.min_selections,
    maxSelections: group.max_selections,
    components: group.components.map((component, componentIndex) => ({
      id: component.component_id,
      name: component.name,
      priceMinor: parseMoney(
        component.price,
        currency,
        `groups.${index}.components.${componentIndex}.price`,
      ),
      productId: component.product_id,
    })),
  }));
