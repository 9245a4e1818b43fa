import type { BusinessSchemas } from "@duka/sdk/business";
import { createRowKey } from "../../ui/row-key.ts";
import type { ProductRecord } from "./product.tsx";
import {
  type PropertyValues,
  toProperties,
  toPropertyValues,
} from "./properties/property-values.ts";
import { toVariantFields, toVariantValues, type VariantValues } from "./variants/variant-values.ts";

type ProductFormFields = Omit<Required<BusinessSchemas["CreateProductRequest"]>, OwnFields>;
/** What has calls of its own. */
type OwnFields = "images";
type ScheduleRecord = BusinessSchemas["ScheduleRule"];

export type Axis = BusinessSchemas["VariantAxis"];
export type Weekday = ScheduleRecord["days"][number];

export type AddOnValues = Readonly<{
  key: string;
  id: string | undefined;
  name: string;
  selection_type: "single" | "multiple";
  is_required: boolean;
  options: readonly Readonly<{
    key: string;
    id: string | undefined;
    name: string;
    price: string;
  }>[];
}>;

export type ScheduleValues = Readonly<{
  key: string;
  id: string | undefined;
  location_id: string;
  days: readonly Weekday[];
  start_time: string;
  end_time: string;
  timezone: string | undefined;
  starts_on: string;
  ends_on: string;
}>;

export type PriceValues = Readonly<{
  location_id: string;
  variant_id: string | null;
  price: string;
}>;

/** The values of a product's form, under the names of the API's fields. */
export type ProductValues = Readonly<{
  name: string;
  slug: string;
  description: string;
  category_id: string;
  default_price: string;
  compare_at_price: string;
  tax_class: string;
  product_type: ProductRecord["product_type"];
  inventory_type: ProductRecord["inventory_type"];
  is_active: boolean;
  featured: boolean;
  tags: string;
  taxonomy_id: string;
  properties: readonly PropertyValues[];
  weight_grams: string;
  requires_shipping: boolean;
  variant_axes: readonly Axis[];
  variants: readonly VariantValues[];
  add_ons: readonly AddOnValues[];
  price_overrides: readonly PriceValues[];
  schedules: readonly ScheduleValues[];
  billing_plan_ids: readonly string[];
}>;

export const emptyProduct: ProductValues = {
  name: "",
  slug: "",
  description: "",
  category_id: "",
  default_price: "",
  compare_at_price: "",
  tax_class: "standard",
  product_type: "product",
  inventory_type: "none",
  is_active: true,
  featured: false,
  tags: "",
  taxonomy_id: "",
  properties: [],
  weight_grams: "",
  requires_shipping: true,
  variant_axes: [],
  variants: [],
  add_ons: [],
  price_overrides: [],
  schedules: [],
  billing_plan_ids: [],
};

export const toProductValues = (record: ProductRecord): ProductValues => ({
  name: record.name,
  slug: record.slug,
  description: record.description,
  category_id: record.category_id ?? "",
  default_price: record.default_price,
  compare_at_price: record.compare_at_price ?? "",
  tax_class: record.tax_class,
  product_type: record.product_type,
  inventory_type: record.inventory_type,
  is_active: record.is_active,
  featured: record.featured,
  tags: record.tags.join(", "),
  taxonomy_id: record.taxonomy_id ?? "",
  properties: toPropertyValues(record.properties),
  weight_grams: record.weight_grams === 0 ? "" : String(record.weight_grams),
  requires_shipping: record.requires_shipping,
  variant_axes: record.variant_axes,
  variants: record.variants.map(toVariantValues),
  add_ons: record.add_ons.map(({ options, ...group }) => ({
    ...group,
    key: group.id,
    options: options.map((option) => ({ ...option, key: option.id })),
  })),
  price_overrides: record.price_overrides,
  schedules: record.schedules.map(toScheduleValues),
  billing_plan_ids: record.billing_plan_ids,
});

const toScheduleValues = ({ product_id: _, ...rule }: ScheduleRecord): ScheduleValues => ({
  ...rule,
  key: rule.id,
  location_id: rule.location_id ?? "",
  starts_on: rule.starts_on ?? "",
  ends_on: rule.ends_on ?? "",
});

export const newSchedule = (): ScheduleValues => ({
  key: createRowKey(),
  id: undefined,
  location_id: "",
  days: ["mon", "tue", "wed", "thu", "fri"],
  start_time: "09:00",
  end_time: "17:00",
  timezone: undefined,
  starts_on: "",
  ends_on: "",
});

/** The fields of a request that stores the values. */
export function toProductFields(values: ProductValues): ProductFormFields {
  const variantIds = new Set(values.variants.map(({ id }) => id));
  return {
    ...values,
    slug: textOrNull(values.slug),
    category_id: textOrNull(values.category_id),
    compare_at_price: textOrNull(values.compare_at_price),
    tags: values.tags
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
    taxonomy_id: textOrNull(values.taxonomy_id),
    properties: toProperties(values.properties),
    weight_grams: Number(values.weight_grams),
    variants: values.variants.map(toVariantFields),
    add_ons: values.add_ons.map(({ key: _, options, ...group }) => ({
      ...group,
      options: options.map(({ key: _, price, ...option }) => ({ ...option, price: price || "0" })),
    })),
    // The price of a variant goes with the variant.
    price_overrides: values.price_overrides.filter(
      ({ variant_id: id }) => id === null || variantIds.has(id),
    ),
    schedules: values.schedules.map(({ key: _, ...rule }) => ({
      ...rule,
      location_id: textOrNull(rule.location_id),
      starts_on: textOrNull(rule.starts_on),
      ends_on: textOrNull(rule.ends_on),
    })),
  };
}

const textOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
