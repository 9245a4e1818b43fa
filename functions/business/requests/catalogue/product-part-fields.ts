import { z } from "@hono/zod-openapi";
import { type merchantCatalogue, selectionTypes } from "../../../../shared/catalogue/index.ts";
import { parseMoney } from "../../../../shared/kernel/index.ts";
import { id, moneyText, name, text, url } from "../../../wire/fields.ts";
import { parseMoneyOrNull, parseOptionalMoney } from "../fields.ts";

const minutesPerDay = 24 * 60;
const minutes = (min: number, max: number) => z.number().int().min(min).max(max).nullable();

/** What a unit weighs. */
export const weightGrams = () => z.number().int().min(0).max(1_000_000_000);

const variantFields = {
  name: name(),
  sku: text(100).min(1).nullable(),
  price_adjustment: moneyText(),
  compare_at_price: moneyText().nullable(),
  is_default: z.boolean(),
  is_active: z.boolean(),
  axis_values: z.record(text(100), name(200)),
  duration_minutes: minutes(1, 7 * minutesPerDay),
  buffer_minutes: minutes(0, minutesPerDay),
  capacity: z.number().int().min(1).max(100_000).nullable(),
  weight_grams: weightGrams().nullable(),
};

/** A variant in a product's list. */
export const VariantFields = z
  .object({
    id: id().optional(),
    name: variantFields.name,
    sku: variantFields.sku.default(null),
    price_adjustment: variantFields.price_adjustment.default("0"),
    compare_at_price: variantFields.compare_at_price.default(null),
    is_default: variantFields.is_default.default(false),
    is_active: variantFields.is_active.default(true),
    axis_values: variantFields.axis_values.default({}),
    duration_minutes: variantFields.duration_minutes.default(null),
    buffer_minutes: variantFields.buffer_minutes.default(null),
    capacity: variantFields.capacity.default(null),
    weight_grams: variantFields.weight_grams.default(null),
  })
  .openapi("VariantFields");

/** A change of one variant. */
export const VariantPatchFields = z.object(variantFields).partial();

const optionFields = { name: name(), price: moneyText() };

export const AddOnGroupFields = z
  .object({
    id: id().optional(),
    name: name(),
    selection_type: z.enum(selectionTypes).default("single"),
    is_required: z.boolean().default(false),
    options: z
      .array(
        z.object({
          id: id().optional(),
          name: optionFields.name,
          price: optionFields.price.default("0"),
        }),
      )
      .min(1)
      .max(100),
  })
  .openapi("AddOnGroupFields");

/** A change of one add-on option. */
export const AddOnOptionPatchFields = z.object(optionFields).partial();

const imageFields = { url: url(), is_primary: z.boolean() };

/** An image in a product's list. */
export const ImageFields = z
  .object({
    id: id().optional(),
    url: imageFields.url,
    is_primary: imageFields.is_primary.default(false),
  })
  .openapi("ImageFields");

/** A change of one image. */
export const ImagePatchFields = z
  .object({ ...imageFields, position: z.number().int().min(1).max(100) })
  .partial();

export const toVariantDrafts = (
  variants: readonly z.infer<typeof VariantFields>[],
  currency: string,
): merchantCatalogue.VariantDraft[] =>
  variants.map((variant, index) => ({
    id: variant.id,
    name: variant.name,
    sku: variant.sku,
    priceAdjustmentMinor: parseMoney(
      variant.price_adjustment,
      currency,
      `variants.${index}.price_adjustment`,
    ),
    compareAtPriceMinor: parseMoneyOrNull(
      variant.compare_at_price,
      currency,
      `variants.${index}.compare_at_price`,
    ),
    isDefault: variant.is_default,
    isActive: variant.is_active,
    axisValues: variant.axis_values,
    durationMinutes: variant.duration_minutes,
    bufferMinutes: variant.buffer_minutes,
    capacity: variant.capacity,
    weightGrams: variant.weight_grams,
  }));

export const toVariantPatch = (
  fields: z.infer<typeof VariantPatchFields>,
  currency: string,
): merchantCatalogue.VariantPatch => ({
  name: fields.name,
  sku: fields.sku,
  priceAdjustmentMinor: parseOptionalMoney(fields.price_adjustment, currency, "price_adjustment"),
  compareAtPriceMinor: parseMoneyOrNull(fields.compare_at_price, currency, "compare_at_price"),
  isDefault: fields.is_default,
  isActive: fields.is_active,
  axisValues: fields.axis_values,
  durationMinutes: fields.duration_minutes,
  bufferMinutes: fields.buffer_minutes,
  capacity: fields.capacity,
  weightGrams: fields.weight_grams,
});

export const toAddOnDrafts = (
  groups: readonly z.infer<typeof AddOnGroupFields>[],
  currency: string,
): merchantCatalogue.AddOnDraft[] =>
  groups.map((group, index) => ({
    id: group.id,
    name: group.name,
    selectionType: group.selection_type,
    isRequired: group.is_required,
    options: group.options.map((option, optionIndex) => ({
      id: option.id,
      name: option.name,
      priceMinor: parseMoney(
        option.price,
        currency,
        `add_ons.${index}.options.${optionIndex}.price`,
      ),
    })),
  }));
