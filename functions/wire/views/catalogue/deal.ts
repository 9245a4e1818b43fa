import { z } from "@hono/zod-openapi";
import {
  type AppliesTo,
  appliesToField,
  type Deal,
  dealScopes,
} from "../../../../shared/deals/index.ts";
import { formatMoney, isoOrNull } from "../../../../shared/kernel/index.ts";
import {
  type DealDiscount,
  dealClasses,
  discountTypes,
  isValueDiscount,
  type ValueDiscount,
} from "../../../../shared/pricing/index.ts";

const ScopeView = z.object({ scope: z.enum(dealScopes), ids: z.array(z.string()) });

export const DealView = z
  .object({
    id: z.string(),
    code: z.string().nullable(),
    name: z.string(),
    description: z.string(),
    discount_type: z.enum(discountTypes),
    value: z.string().nullable(),
    buy_quantity: z.number().int().nullable(),
    buy_scope: ScopeView.nullable(),
    get_quantity: z.number().int().nullable(),
    get_scope: ScopeView.nullable(),
    percent: z.string().nullable(),
    max_uses_per_order: z.number().int().nullable(),
    tiers: z.array(z.object({ min_quantity: z.number().int(), percent: z.string() })).nullable(),
    combines_with: z.array(z.enum(dealClasses)).nullable(),
    min_order_subtotal: z.string().nullable(),
    max_discount: z.string().nullable(),
    applies_to: ScopeView,
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
  const { discount } = deal;
  return {
    id: deal.id,
    code: deal.code,
    name: deal.name,
    description: deal.description,
    discount_type: discount.type,
    value: isValueDiscount(discount) ? dealValue(discount, currency) : null,
    ...viewBuyXGetY(deal),
    tiers: viewTiers(discount),
    combines_with: deal.combinesWith && [...deal.combinesWith],
    min_order_subtotal: amount(deal.minOrderSubtotalMinor),
    max_discount: amount(deal.maxDiscountMinor),
    applies_to: viewScope(appliesToField(deal)),
    starts_at: isoOrNull(deal.startsAt),
    ends_at: isoOrNull(deal.endsAt),
    usage_limit: deal.usageLimit,
    times_redeemed: deal.timesRedeemed,
    per_customer_limit: deal.perCustomerLimit,
    is_active: deal.isActive,
  };
}

const viewScope = ({ scope, ids }: AppliesTo) => ({ scope, ids: [...ids] });

/** The fields of a deal of the type buy_x_get_y; null for any other. */
function viewBuyXGetY({ discount, appliesTo, buyScope }: Deal) {
  const bought = discount.type === "buy_x_get_y" ? discount : null;
  return {
    buy_quantity: bought?.buyQuantity ?? null,
    buy_scope: buyScope && viewScope(buyScope),
    get_quantity: bought?.getQuantity ?? null,
    get_scope: buyScope && viewScope(appliesTo),
    percent: bought?.percent ?? null,
    max_uses_per_order: bought?.maxUsesPerOrder ?? null,
  };
}

const viewTiers = (discount: DealDiscount) =>
  discount.type === "tiered"
    ? discount.tiers.map(({ minQuantity, percent }) => ({ min_quantity: minQuantity, percent }))
    : null;

/** The deal's percentage or amount as text. */
export const dealValue = (discount: ValueDiscount, currency: string): string =>
  discount.type === "percentage" ? discount.percent : formatMoney(discount.amountMinor, currency);
