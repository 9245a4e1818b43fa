import { z } from "@hono/zod-openapi";
import type { TaxClass, TaxRate } from "../../../../shared/tax/index.ts";

export const TaxClassView = z
  .object({ code: z.string().openapi({ example: "reduced" }), name: z.string() })
  .openapi("TaxClass");

export const viewTaxClass = ({ code, name }: TaxClass): z.infer<typeof TaxClassView> => ({
  code,
  name,
});

export const TaxRateView = z
  .object({
    id: z.string(),
    tax_class: z.string(),
    name: z.string(),
    country: z.string(),
    region: z.string().nullable(),
    postal_code_prefix: z.string().nullable(),
    rate_percent: z.string().openapi({ example: "12.5" }),
    applies_to_delivery: z.boolean(),
    is_active: z.boolean(),
  })
  .openapi("TaxRate");

export const viewTaxRate = (rate: TaxRate): z.infer<typeof TaxRateView> => ({
  id: rate.id,
  tax_class: rate.taxClass,
  name: rate.name,
  country: rate.country,
  region: rate.region,
  postal_code_prefix: rate.postalCodePrefix,
  rate_percent: rate.ratePercent,
  applies_to_delivery: rate.appliesToDelivery,
  is_active: rate.isActive,
});
