import { z } from "@hono/zod-openapi";
import { standardTaxClass } from "../../../shared/catalogue/index.ts";
import { omitUndefined } from "../../../shared/kernel/index.ts";
import type { NewTaxRate, TaxRatePatch } from "../../../shared/tax/index.ts";
import { country } from "../../wire/country.ts";
import { name, slug, text, textOrNull } from "../../wire/fields.ts";
import { percent } from "./fields.ts";

/** The code of a tax class. */
export const taxClassCode = () => slug().max(64).openapi({ example: "reduced" });

export const NewTaxClassFields = z.object({ code: taxClassCode(), name: name() });

export const TaxClassFields = NewTaxClassFields.pick({ name: true }).partial();

/** A text that is blank when the rate is for all regions or postal codes. */
const partOfCountry = (max: number) => text(max).nullable().transform(textOrNull);

export const TaxRateFields = z
  .object({
    tax_class: taxClassCode(),
    name: name(100),
    country: country(),
    region: partOfCountry(200),
    postal_code_prefix: partOfCountry(20),
    rate_percent: percent(),
    applies_to_delivery: z.boolean(),
    is_active: z.boolean(),
  })
  .partial();

export const NewTaxRateFields = TaxRateFields.required({
  name: true,
  country: true,
  rate_percent: true,
});

export const toTaxRatePatch = (fields: z.infer<typeof TaxRateFields>): TaxRatePatch => ({
  taxClass: fields.tax_class,
  name: fields.name,
  country: fields.country,
  region: fields.region,
  postalCodePrefix: fields.postal_code_prefix,
  ratePercent: fields.rate_percent,
  appliesToDelivery: fields.applies_to_delivery,
  isActive: fields.is_active,
});

export const toNewTaxRate = (fields: z.infer<typeof NewTaxRateFields>): NewTaxRate => ({
  taxClass: standardTaxClass,
  region: null,
  postalCodePrefix: null,
  appliesToDelivery: false,
  isActive: true,
  ...omitUndefined(toTaxRatePatch(fields)),
  name: fields.name,
  country: fields.country,
  ratePercent: fields.rate_percent,
});
