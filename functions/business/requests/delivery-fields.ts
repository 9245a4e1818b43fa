import { z } from "@hono/zod-openapi";
import { type Business, paymentMethods } from "../../../shared/businesses/index.ts";
import {
  areaLimits,
  type DeliveryMethodPatch,
  type DeliveryPriceRule,
  type DeliveryZonePatch,
  type NewDeliveryMethod,
  type NewDeliveryZone,
} from "../../../shared/delivery/index.ts";
import {
  comparableText,
  invalid,
  omitUndefined,
  parseMoney,
} from "../../../shared/kernel/index.ts";
import { country } from "../../wire/country.ts";
import { id, moneyText, name, text } from "../../wire/fields.ts";

/** Text that is compared without spaces, so it needs another character. */
const areaText = (max: number) =>
  text(max).refine((value) => comparableText(value) !== "", "must not be empty");

const AreaFields = z
  .object({
    country: country(),
    regions: z.array(areaText(areaLimits.regionLength)).max(areaLimits.keys).default([]),
    postal_code_prefixes: z
      .array(areaText(areaLimits.postalCodeLength))
      .max(areaLimits.keys)
      .default([]),
  })
  .openapi("DeliveryArea");

export const ZoneFields = z
  .object({
    name: name(),
    areas: z.array(AreaFields).min(1).max(areaLimits.areas),
    location_ids: z.array(id()).max(500).nullable(),
    is_active: z.boolean(),
  })
  .partial();
type ZoneFields = z.infer<typeof ZoneFields>;

export const NewZoneFields = ZoneFields.required({ name: true, areas: true });

export const toZonePatch = ({
  name,
  areas,
  location_ids,
  is_active,
}: ZoneFields): DeliveryZonePatch => ({
  name,
  areas: areas && toAreas(areas),
  locationIds: location_ids && emptyAsNull(location_ids),
  isActive: is_active,
});

export const toNewZone = (fields: z.infer<typeof NewZoneFields>): NewDeliveryZone => ({
  locationIds: null,
  isActive: true,
  ...omitUndefined(toZonePatch(fields)),
  name: fields.name,
  areas: toAreas(fields.areas),
});

const toAreas = (areas: readonly z.infer<typeof AreaFields>[]): NewDeliveryZone["areas"] =>
  areas.map(({ country, regions, postal_code_prefixes }) => ({
    country,
    regions: [...new Set(regions)],
    postalCodePrefixes: [...new Set(postal_code_prefixes)],
  }));

/** An empty list restricts nothing, like null. */
const emptyAsNull = <T>(values: readonly T[]): readonly T[] | null =>
  values.length === 0 ? null : [...new Set(values)];

const maxTiers = 100;
const amount = moneyText();

const PriceFields = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("flat"), amount }),
    z.object({
      type: z.literal("by_subtotal"),
      tiers: z
        .array(z.object({ min_subtotal: moneyText(), amount }))
        .min(1)
        .max(maxTiers),
    }),
    z.object({
      type: z.literal("by_weight"),
      tiers: z
        .array(z.object({ max_grams: z.number().int().min(0).max(1_000_000_000), amount }))
        .min(1)
        .max(maxTiers),
    }),
  ])
  .openapi("DeliveryPriceFields");

const days = () => z.number().int().min(0).max(365).nullable();

export const MethodFields = z
  .object({
    zone_id: id(),
    name: name(),
    description: text(2_000),
    price: PriceFields,
    free_over: moneyText().nullable(),
    min_days: days(),
    max_days: days(),
    payment_methods: z.array(z.enum(paymentMethods)).max(20).nullable(),
    sort_order: z.number().int().min(-1_000_000).max(1_000_000),
    is_active: z.boolean(),
  })
  .partial();
type MethodFields = z.infer<typeof MethodFields>;

export const NewMethodFields = MethodFields.required({ zone_id: true, name: true, price: true });

const methodDefaults = {
  description: "",
  freeOverMinor: null,
  minDays: null,
  maxDays: null,
  paymentMethods: null,
  sortOrder: 0,
  isActive: true,
} as const;

type Currency = Pick<Business, "currency">;

/** @throws Refusal VALIDATION_ERROR naming an amount that is not valid in the currency. */
export const toMethodPatch = (fields: MethodFields, business: Currency): DeliveryMethodPatch => ({
  zoneId: fields.zone_id,
  name: fields.name,
  description: fields.description,
  price: fields.price && toPriceRule(fields.price, business),
  freeOverMinor:
    typeof fields.free_over === "string"
      ? parseAmount(fields.free_over, "free_over", business)
      : fields.free_over,
  minDays: fields.min_days,
  maxDays: fields.max_days,
  paymentMethods: fields.payment_methods && emptyAsNull(fields.payment_methods),
  sortOrder: fields.sort_order,
  isActive: fields.is_active,
});

/** @throws Refusal as `toMethodPatch`. */
export const toNewMethod = (
  fields: z.infer<typeof NewMethodFields>,
  business: Currency,
): NewDeliveryMethod => ({
  ...methodDefaults,
  ...omitUndefined(toMethodPatch(fields, business)),
  zoneId: fields.zone_id,
  name: fields.name,
  price: toPriceRule(fields.price, business),
});

function toPriceRule(price: z.infer<typeof PriceFields>, business: Currency): DeliveryPriceRule {
  const tierAmount = ({ amount }: { amount: string }, index: number) =>
    parseAmount(amount, `price.tiers.${index}.amount`, business);
  switch (price.type) {
    case "flat":
      return { type: price.type, amountMinor: parseAmount(price.amount, "price.amount", business) };
    case "by_subtotal":
      return {
        type: price.type,
        tiers: price.tiers.map((tier, index) => ({
          minSubtotalMinor: parseAmount(
            tier.min_subtotal,
            `price.tiers.${index}.min_subtotal`,
            business,
          ),
          amountMinor: tierAmount(tier, index),
        })),
      };
    case "by_weight":
      return {
        type: price.type,
        tiers: price.tiers.map((tier, index) => ({
          maxGrams: tier.max_grams,
          amountMinor: tierAmount(tier, index),
        })),
      };
  }
}

function parseAmount(amount: string, field: string, { currency }: Currency): number {
  const minor = parseMoney(amount, currency, field);
  if (minor < 0) throw invalid(field, "must not be negative");
  return minor;
}
