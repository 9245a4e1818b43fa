import { z } from "@hono/zod-openapi";
import { type Deal, dealScopes } from "../../../../shared/deals/index.ts";
import { formatMoney, isoOrNull } from "../../../../shared/kernel/index.ts";
import { type ValueDiscount, valueDiscountTypes } from "../../../../shared/pricing/index.ts";

export const DealView = z
  .object({
    id: z.string(),
    code: z.string().nullable(),
    name: z.string(),
    description: z.string(),
    discount_type: z.enum(valueDiscountTypes),
    value: z.string(),
    min_order_subtotal: z.string().nullable(),
    max_discount: z.string().nullable(),
    applies_to: z.object({ scope: z.enum(dealScopes), ids: z.array(z.string()) }),
    starts_at: z.string().nullable(),
    ends_at: z.string().nullable(),
    usage_limit: z.number().int().nullable(),
    times_redeemed: z.number().int(),
    per_customer_limit: z.number().int().nullable(),
    is_active: z.boolean(),
  })
  .openapi("Deal");
export type DealView = z.infer<typeof DealView>;

export function viewDeal(deal: Deal, currency: string): DealView {
  const amount = (minor: number | null) => (minor === null ? null : formatMoney(minor, currency));
  return {
    id: deal.id,
    code: deal.code,
    name: deal.name,
    description: deal.description,
    discount_type: deal.discount.type,
    value: dealValue(deal.discount, currency),
    min_order_subtotal: amount(deal.minOrderSubtotalMinor),
    max_discount: amount(deal.maxDiscountMinor),
    applies_to: { scope: deal.appliesTo.scope, ids: [...deal.appliesTo.ids] },
    starts_at: isoOrNull(deal.startsAt),
    ends_at: isoOrNull(deal.endsAt),
    usage_limit: deal.usageLimit,
    times_redeemed: deal.timesRedeemed,
    per_customer_limit: deal.perCustomerLimit,
    is_active: deal.isActive,
  };
}

/** The deal's percentage or amount as text. */
export const dealValue = (discount: ValueDiscount, currency: string): string =>
  discount.type === "percentage" ? discount.percent : formatMoney(discount.amountMinor, currency);
