import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import {
  inventoryTypes,
  maxProductImages,
  type merchantCatalogue,
  type NewProduct,
  type ProductPatch,
  productTypes,
} from "../../../../shared/catalogue/index.ts";
import { omitUndefined, parseMoney } from "../../../../shared/kernel/index.ts";
import { freeObject, id, moneyText, name, slug, text } from "../../../wire/fields.ts";
import { parseMoneyOrNull, parseOptionalMoney } from "../fields.ts";
import { taxClassCode } from "../tax-fields.ts";
import { PriceOverrideFields, toPriceOverrides } from "./price-override-fields.ts";
import {
  AddOnGroupFields,
  ImageFields,
  toAddOnDrafts,
  toVariantDrafts,
  VariantFields,
  weightGrams,
} from "./product-part-fields.ts";
import { ScheduleFields, toScheduleDrafts } from "./schedule-fields.ts";

/** A tag. Commas are not allowed, because list queries separate tags by commas. */
export const tag = name(64)
  .trim()
  .refine((value) => !value.includes(","), "must not contain a comma");

/** As many as an import takes. */
const maxVariants = 2_500;

/** The fields of a product. A list in the request replaces the whole stored list. */
export const ProductFields = z
  .object({
    name: name(),
    slug: slug().nullable(),
    description: text(20_000),
    category_id: id().nullable(),
    default_price: moneyText(),
    compare_at_price: moneyText().nullable(),
    tax_class: taxClassCode(),
    product_type: z.enum(productTypes),
    inventory_type: z.enum(inventoryTypes),
    is_active: z.boolean(),
    featured: z.boolean(),
    tags: z.array(tag).max(100),
    properties: freeObject(),
    taxonomy_id: text(128).min(1).nullable(),
    images: z.array(ImageFields).max(maxProductImages),
    variant_axes: z
      .array(
        z.object({ name: name(100), label: name(200), values: z.array(name(200)).min(1).max(200) }),
      )
      .max(10),
    variants: z.array(VariantFields).max(maxVariants),
    add_ons: z.array(AddOnGroupFields).max(50),
    price_overrides: z.array(PriceOverrideFields).max(1_000),
    schedules: z.array(ScheduleFields).max(20),
    billing_plan_ids: z.array(id()).max(50),
    weight_grams: weightGrams(),
    requires_shipping: z.boolean(),
  })
  .partial();
export type ProductFields = z.infer<typeof ProductFields>;

const productDefaults: Omit<NewProduct, "name" | "defaultPriceMinor"> = {
  slug: null,
  description: "",
  categoryId: null,
  taxonomyId: null,
  compareAtPriceMinor: null,
  productType: "product",
  inventoryType: "none",
  isActive: true,
  isFeatured: false,
  tags: [],
  properties: {},
  images: [],
  variantAxes: [],
  variants: [],
  addOns: [],
  priceOverrides: [],
  schedules: [],
  billingPlanIds: [],
};

/** The parts of a business that a product's fields refer to. */
export type ProductBusiness = Pick<Business, "currency" | "locations" | "timezone"> &
  merchantCatalogue.ArchivedLocations;

/** The ids of the locations that a product's fields name. */
export const locationIdsIn = ({
  price_overrides = [],
  schedules = [],
}: Pick<ProductFields, "price_overrides" | "schedules">): string[] =>
  [...price_overrides, ...schedules].flatMap(({ location_id }) => location_id ?? []);

/** Converts the request's fields to a patch. */
export const toProductPatch = (fields: ProductFields, business: ProductBusiness): ProductPatch => ({
  name: fields.name,
  slug: fields.slug,
  description: fields.description,
  categoryId: fields.category_id,
  taxonomyId: fields.taxonomy_id,
  defaultPriceMinor: parseOptionalMoney(fields.default_price, business.currency, "default_price"),
  compareAtPriceMinor: parseMoneyOrNull(
    fields.compare_at_price,
    business.currency,
    "compare_at_price",
  ),
  taxClass: fields.tax_class,
  productType: fields.product_type,
  inventoryType: fields.inventory_type,
  isActive: fields.is_active,
  isFeatured: fields.featured,
  tags: fields.tags,
  properties: fields.properties,
  images: fields.images?.map(({ id, url, is_primary }) => ({ id, url, isPrimary: is_primary })),
  variantAxes: fields.variant_axes,
  variants: fields.variants && toVariantDrafts(fields.variants, business.currency),
  addOns: fields.add_ons && toAddOnDrafts(fields.add_ons, business.currency),
  priceOverrides: fields.price_overrides && toPriceOverrides(fields.price_overrides, business),
  schedules: fields.schedules && toScheduleDrafts(fields.schedules, business),
  billingPlanIds: fields.billing_plan_ids && [...new Set(fields.billing_plan_ids)],
  weightGrams: fields.weight_grams,
  requiresShipping: fields.requires_shipping,
  archivedLocationIds: business.archivedLocationIds,
});

/** Creates a product with defaults for omitted fields. The price is null when it was omitted. */
export function toProductWithDefaults(
  fields: ProductFields & { name: string },
  business: ProductBusiness,
): Omit<NewProduct, "defaultPriceMinor"> & { defaultPriceMinor: number | null } {
  const { defaultPriceMinor = null, ...patch } = toProductPatch(fields, business);
  return { ...productDefaults, ...omitUndefined(patch), name: fields.name, defaultPriceMinor };
}

/** Creates a product whose price is required. */
export const toNewProduct = (
  fields: ProductFields & { name: string; default_price: string },
  business: ProductBusiness,
): NewProduct => ({
  ...toProductWithDefaults(fields, business),
  defaultPriceMinor: parseMoney(fields.default_price, business.currency, "default_price"),
});
