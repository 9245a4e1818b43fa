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
import type { JsonPiece } from "../../http/json/json-response.ts";
import { dealValue } from "../../wire/views/catalogue/deal.ts";
import { SelectionView, viewSelection } from "./catalogue/selection.ts";

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
 * A cart as its readers get it: the lines are JSON in UTF-8, since one line changes at a write and all
 * of them are answered, whatever their number. From the object to the caller they are copied as bytes.
 */
export type CartAnswer = Readonly<{
  summary: Omit<z.infer<typeof CartView>, "items">;
  items: Uint8Array;
  /** The line that was written, where the answer names it. */
  item: Uint8Array | null;
}>;

/** A CartView, or one with `item`. */
export const cartJson = ({ summary, items, item }: CartAnswer): readonly JsonPiece[] => [
  `${JSON.stringify(summary).slice(0, -1)},"items":`,
  items,
  ...(item === null ? [] : [',"item":', item]),
  "}",
];

/** What an answer tells of the cart's business. */
type Shop = Pick<Business, "id" | "currency"> &
  Readonly<{ settings: Pick<Business["settings"], "tax"> }>;

/** interface.md, Cart; completions.md 5. */
export function viewCart(cart: Cart, business: Shop, lineId: string | null = null): CartAnswer {
  const { currency } = business;
  const written = cart.lines.find(({ id }) => id === lineId);
  return {
    summary: viewSummary(cart, business),
    items: viewItems(cart.lines, currency),
    item: written ? itemJson(written, currency) : null,
  };
}

/** A cart's answer as it is stored: JSON in which the lines are text. */
export type StoredCartAnswer = Readonly<{
  summary: CartAnswer["summary"];
  items: string;
  item: string | null;
}>;

export const cartToStore = ({ summary, items, item }: CartAnswer): StoredCartAnswer => ({
  summary,
  items: decoder.decode(items),
  item: item && decoder.decode(item),
});

export const cartFromStore = ({ summary, items, item }: StoredCartAnswer): CartAnswer => ({
  summary,
  items: encoder.encode(items),
  item: item === null ? null : encoder.encode(item),
});

function viewSummary(cart: Cart, { id, currency, settings }: Shop): CartAnswer["summary"] {
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

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The JSON array of the lines. All but those that changed are only copied, however many there are. */
function viewItems(lines: readonly CartLine[], currency: string): Uint8Array {
  if (lines.length === 0) return encoder.encode("[]");
  const all = lines.map((line) => itemJson(line, currency));
  const items = new Uint8Array(all.reduce((sum, { length }) => sum + length + 1, 1));
  let at = 0;
  for (const item of all) {
    items[at] = at === 0 ? opening : comma;
    items.set(item, at + 1);
    at += item.length + 1;
  }
  items[at] = closing;
  return items;
}

const codeOf = (character: string): number => character.charCodeAt(0);
const [opening, comma, closing] = [codeOf("["), codeOf(","), codeOf("]")];

// A line that does not change is the same object, so it is written once.
const written = new WeakMap<CartLine, Uint8Array>();

function itemJson(line: CartLine, currency: string): Uint8Array {
  const known = written.get(line);
  if (known) return known;
  const json = encoder.encode(JSON.stringify(viewItem(line, currency)));
  written.set(line, json);
  return json;
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
