import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import {
  type Cart,
  type CartCoupon,
  type CartLine,
  itemCount,
  totalsOf,
} from "../../../shared/cart/index.ts";
import { formatMoney, iso, isoOrNull } from "../../../shared/kernel/index.ts";
import { discountTypes } from "../../../shared/pricing/index.ts";
import { dealValue } from "../../http/views/deal.ts";
import { SelectionView, viewSelection } from "./selection.ts";

export const CartItemView = z
  .object({
    id: z.string(),
    item_id: z.string(),
    name: z.string(),
    variant_id: z.string().nullable(),
    variant_name: z.string().nullable(),
    quantity: z.number().int(),
    unit_price: z.string(),
    line_total: z.string(),
    add_on_options: z.array(z.string()),
    bundle_selections: z.array(SelectionView),
    composite_selections: z.array(SelectionView),
    special_instructions: z.string().nullable(),
    location_id: z.string().nullable(),
    quote_id: z.string().nullable(),
    billing_plan_id: z.string().nullable(),
    scheduled_start: z.string().nullable(),
    scheduled_end: z.string().nullable(),
    staff_id: z.string().nullable(),
  })
  .openapi("CartItem");

const CouponView = z
  .object({
    code: z.string(),
    deal_id: z.string(),
    name: z.string(),
    discount_type: z.enum(discountTypes),
    value: z.string(),
  })
  .openapi("CartCoupon");

export const CartView = z
  .object({
    id: z.string(),
    business_id: z.string(),
    items: z.array(CartItemView),
    item_count: z.number().int(),
    pricing: z.object({
      subtotal: z.string(),
      discount_total: z.string(),
      tax_total: z.string(),
      total_price: z.string(),
      currency: z.string(),
    }),
    coupon: CouponView.nullable(),
    updated_at: z.string(),
  })
  .openapi("Cart");

/**
 * A cart as its readers get it: the lines are JSON text, since one line changes at a write and all of
 * them are answered, whatever their number.
 */
export type CartAnswer = Readonly<{
  summary: Omit<z.infer<typeof CartView>, "items">;
  items: string;
  /** The line that was written, where the answer names it. */
  item: string | null;
}>;

/** The text of a CartView, or of one with `item`. */
export const cartText = ({ summary, items, item }: CartAnswer): string =>
  `${JSON.stringify(summary).slice(0, -1)},"items":${items}${item === null ? "" : `,"item":${item}`}}`;

/** interface.md, Cart; completions.md 5. */
export function viewCart(cart: Cart, business: Business, lineId: string | null = null): CartAnswer {
  const { currency } = business;
  const written = cart.lines.find(({ id }) => id === lineId);
  return {
    summary: viewSummary(cart, business),
    items: `[${cart.lines.map((line) => itemText(line, currency)).join()}]`,
    item: written ? itemText(written, currency) : null,
  };
}

function viewSummary(cart: Cart, { id, currency, settings }: Business): CartAnswer["summary"] {
  const totals = totalsOf(cart, settings.tax);
  return {
    id: cart.id,
    business_id: id,
    item_count: itemCount(cart),
    pricing: {
      subtotal: formatMoney(totals.subtotalMinor, currency),
      discount_total: formatMoney(totals.discountTotalMinor, currency),
      tax_total: formatMoney(totals.taxTotalMinor, currency),
      total_price: formatMoney(totals.totalPriceMinor, currency),
      currency,
    },
    coupon: cart.coupon && viewCoupon(cart.coupon, currency),
    updated_at: iso(cart.updatedAt),
  };
}

const viewCoupon = (
  { code, dealId, name, discount }: CartCoupon,
  currency: string,
): z.infer<typeof CouponView> => ({
  code,
  deal_id: dealId,
  name,
  discount_type: discount.type,
  value: dealValue(discount, currency),
});

// A line that does not change is the same object, so its text is written once.
const texts = new WeakMap<CartLine, string>();

function itemText(line: CartLine, currency: string): string {
  const known = texts.get(line);
  if (known !== undefined) return known;
  const text = JSON.stringify(viewItem(line, currency));
  texts.set(line, text);
  return text;
}

function viewItem(
  { id, configuration, quantity, snapshot }: CartLine,
  currency: string,
): z.infer<typeof CartItemView> {
  return {
    id,
    item_id: configuration.productId,
    name: snapshot.name,
    variant_id: snapshot.variantId,
    variant_name: snapshot.variantName,
    quantity,
    unit_price: formatMoney(snapshot.unitPriceMinor, currency),
    line_total: formatMoney(snapshot.unitPriceMinor * quantity, currency),
    add_on_options: [...configuration.addOnOptionIds],
    bundle_selections: configuration.bundleSelections.map(viewSelection),
    composite_selections: configuration.compositeSelections.map(viewSelection),
    special_instructions: configuration.specialInstructions,
    location_id: configuration.locationId,
    quote_id: snapshot.lock?.quoteId ?? null,
    billing_plan_id: configuration.billingPlanId,
    scheduled_start: isoOrNull(configuration.slot?.start ?? null),
    scheduled_end: isoOrNull(configuration.slot?.end ?? null),
    staff_id: configuration.slot?.staffId ?? null,
  };
}
