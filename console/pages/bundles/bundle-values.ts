import type { BusinessSchemas } from "@duka/sdk/business";
import {
  emptyProduct,
  type ProductValues,
  toProductFields,
  toProductValues,
} from "../products/product-values.ts";

export type Bundle = BusinessSchemas["BundleRecord"];
export type PricingType = Bundle["pricing"]["type"];

/** What a bundle contains. */
export type ComponentValues = Readonly<{
  key: string;
  component_id: string | undefined;
  name: string;
  product_id: string;
  default_variant_id: string;
  quantity: string;
  is_swappable: boolean;
}>;

/** The values of a bundle's form. `discount` is what the components' sum is lowered by. */
export interface BundleValues extends ProductValues {
  readonly components: readonly ComponentValues[];
  readonly pricing: PricingType;
  readonly discount: string;
}

export const emptyBundle: BundleValues = {
  ...emptyProduct,
  product_type: "bundle",
  components: [],
  pricing: "fixed",
  discount: "",
};

export const toBundleValues = (bundle: Bundle): BundleValues => ({
  ...toProductValues(bundle),
  components: bundle.components.map((component) => ({
    ...component,
    key: component.component_id,
    default_variant_id: component.default_variant_id ?? "",
    quantity: String(component.quantity),
  })),
  pricing: bundle.pricing.type,
  discount: bundle.pricing.type === "fixed" ? "" : bundle.pricing.value,
});

/** The fields of a request. Prices that follow the components cannot be set. */
export function toBundleFields({ components, pricing, discount, ...values }: BundleValues) {
  const {
    product_type: _,
    default_price: price,
    price_overrides: overrides,
    ...fields
  } = toProductFields(values);
  return {
    ...fields,
    components: components.map(({ key: _, quantity, default_variant_id: variant, ...one }) => ({
      ...one,
      default_variant_id: variant || null,
      quantity: Number(quantity),
    })),
    ...(pricing === "fixed"
      ? { pricing: { type: pricing, value: price }, price_overrides: overrides }
      : { pricing: { type: pricing, value: discount } }),
  };
}
