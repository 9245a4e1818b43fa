import type { BusinessSchemas } from "@duka/sdk/business";
import { createRowKey } from "../../../ui/row-key.ts";

type Variant = BusinessSchemas["Variant"];
type VariantFields = BusinessSchemas["VariantFields"];

/** A variant in a product's form. */
export type VariantValues = Readonly<{
  key: string;
  id: string | undefined;
  name: string;
  sku: string;
  price_adjustment: string;
  compare_at_price: string;
  weight_grams: string;
  is_default: boolean;
  is_active: boolean;
  axis_values: Readonly<Record<string, string>>;
  duration_minutes: number | null;
  buffer_minutes: number | null;
  capacity: number | null;
}>;

export const newVariant = (
  name: string,
  axisValues: Readonly<Record<string, string>>,
): VariantValues => ({
  key: createRowKey(),
  id: undefined,
  name,
  sku: "",
  price_adjustment: "0",
  compare_at_price: "",
  weight_grams: "",
  is_default: false,
  is_active: true,
  axis_values: axisValues,
  duration_minutes: null,
  buffer_minutes: null,
  capacity: null,
});

export const toVariantValues = ({ product_id: _, ...variant }: Variant): VariantValues => ({
  ...variant,
  key: variant.id,
  sku: variant.sku ?? "",
  compare_at_price: variant.compare_at_price ?? "",
  weight_grams: variant.weight_grams === null ? "" : String(variant.weight_grams),
});

export const toVariantFields = ({ key: _, ...variant }: VariantValues): VariantFields => ({
  ...variant,
  sku: variant.sku.trim() || null,
  price_adjustment: variant.price_adjustment.trim() || "0",
  compare_at_price: variant.compare_at_price.trim() || null,
  weight_grams: variant.weight_grams.trim() === "" ? null : Number(variant.weight_grams),
});
