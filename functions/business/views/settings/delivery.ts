import { z } from "@hono/zod-openapi";
import { paymentMethods } from "../../../../shared/businesses/index.ts";
import type {
  DeliveryMethod,
  DeliveryPriceRule,
  DeliveryZone,
} from "../../../../shared/delivery/index.ts";
import { formatMoney, formatMoneyOrNull } from "../../../../shared/kernel/index.ts";

export const ZoneView = z
  .object({
    id: z.string(),
    name: z.string(),
    areas: z.array(
      z.object({
        country: z.string(),
        regions: z.array(z.string()),
        postal_code_prefixes: z.array(z.string()),
      }),
    ),
    location_ids: z.array(z.string()).nullable(),
    is_active: z.boolean(),
  })
  .openapi("DeliveryZone");

export const viewZone = (zone: DeliveryZone): z.infer<typeof ZoneView> => ({
  id: zone.id,
  name: zone.name,
  areas: zone.areas.map(({ country, regions, postalCodePrefixes }) => ({
    country,
    regions: [...regions],
    postal_code_prefixes: [...postalCodePrefixes],
  })),
  location_ids: zone.locationIds && [...zone.locationIds],
  is_active: zone.isActive,
});

const amount = z.string();

const PriceView = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("flat"), amount }),
    z.object({
      type: z.literal("by_subtotal"),
      tiers: z.array(z.object({ min_subtotal: z.string(), amount })),
    }),
    z.object({
      type: z.literal("by_weight"),
      tiers: z.array(z.object({ max_grams: z.number().int(), amount })),
    }),
  ])
  .openapi("DeliveryPrice");

export const MethodView = z
  .object({
    id: z.string(),
    zone_id: z.string(),
    name: z.string(),
    description: z.string(),
    price: PriceView,
    free_over: z.string().nullable(),
    min_days: z.number().int().nullable(),
    max_days: z.number().int().nullable(),
    payment_methods: z.array(z.enum(paymentMethods)).nullable(),
    sort_order: z.number().int(),
    is_active: z.boolean(),
  })
  .openapi("DeliveryMethod");

export const viewMethod = (
  method: DeliveryMethod,
  { currency }: Readonly<{ currency: string }>,
): z.infer<typeof MethodView> => ({
  id: method.id,
  zone_id: method.zoneId,
  name: method.name,
  description: method.description,
  price: viewPrice(method.price, currency),
  free_over: formatMoneyOrNull(method.freeOverMinor, currency),
  min_days: method.minDays,
  max_days: method.maxDays,
  payment_methods: method.paymentMethods && [...method.paymentMethods],
  sort_order: method.sortOrder,
  is_active: method.isActive,
});

function viewPrice(price: DeliveryPriceRule, currency: string): z.infer<typeof PriceView> {
  const amountOf = ({ amountMinor }: { amountMinor: number }) => formatMoney(amountMinor, currency);
  switch (price.type) {
    case "flat":
      return { type: price.type, amount: amountOf(price) };
    case "by_subtotal":
      return {
        type: price.type,
        tiers: price.tiers.map((tier) => ({
          min_subtotal: formatMoney(tier.minSubtotalMinor, currency),
          amount: amountOf(tier),
        })),
      };
    case "by_weight":
      return {
        type: price.type,
        tiers: price.tiers.map((tier) => ({ max_grams: tier.maxGrams, amount: amountOf(tier) })),
      };
  }
}
