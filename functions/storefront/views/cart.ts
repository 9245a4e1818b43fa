import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import {
  type Cart,
  type CartCoupon,
  type CartLine,
  cartPrice,
  itemCount,
  type PlanTerms,
} from "../../../shared/cart/index.ts";
import { planIntervals } from "../../../shared/catalogue/index.ts";
import { deliveryTypes } from "../../../shared/delivery/index.ts";
import { formatMoney, formatMoneyOrNull, iso, isoOrNull } from "../../../shared/kernel/index.ts";
import {
  discountTypes,
  isValueDiscount,
  type LineDiscount,
  lineDiscounts,
} from "../../../shared/pricing/index.ts";
import type { JsonChunk } from "../../http/bodies.ts";
import { jsonValue, type PublicAddress } from "../../wire/fields.ts";
import { dealValue } from "../../wire/views/catalogue/deal.ts";
import {
  DiscountView,
  LineDiscountView,
  lineDetailsViewFields,
  TaxLineView,
  viewDiscount,
  viewLineDetails,
  viewLineDiscount,
  viewTaxLine,
} from "../../wire/views/line.ts";
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
    compare_at_price: z.string().nullable(),
    line_total: z.string(),
    discounts: z.array(LineDiscountView),
    renewal_price: z.string().nullable(),
    ...lineDetailsViewFields,
    add_on_options: z.array(z.string()),
    bundle_selections: z.array(SelectionView),
    composite_selections: z.array(SelectionView),
    special_instructions: z.string().nullable(),
    location_id: z.string().nullable(),
    quote_id: z.string().nullable(),
    billing_plan_id: z.string().nullable(),
    billing_plan: z
      .object({
        name: z.string(),
        interval: z.enum(planIntervals),
        interval_count: z.number().int(),
        trial_days: z.number().int(),
      })
      .nullable(),
    scheduled_start: z.string().nullable(),
    scheduled_end: z.string().nullable(),
    staff_id: z.string().nullable(),
    requires_shipping: z.boolean(),
    hold_expires_at: z.string().nullable(),
  })
  .openapi("CartItem");

const CouponView = z
  .object({
    code: z.string(),
    deal_id: z.string(),
    name: z.string(),
    discount_type: z.enum(discountTypes),
    value: z.string().nullable(),
  })
  .openapi("CartCoupon");

const NoticeView = z
  .discriminatedUnion("code", [
    z.object({ code: z.literal("COUPON_REMOVED"), message: z.string(), coupon: z.string() }),
    z.object({ code: z.literal("DELIVERY_REMOVED"), message: z.string(), option_id: z.string() }),
  ])
  .openapi("CartNotice");

const ChosenDeliveryView = z
  .object({
    option_id: z.string(),
    type: z.enum(deliveryTypes),
    name: z.string(),
    price: z.string(),
    address: z.record(z.string(), jsonValue).nullable(),
    location_id: z.string(),
  })
  .openapi("CartDelivery");

export const CartView = z
  .object({
    id: z.string(),
    business_id: z.string(),
    items: z.array(CartItemView),
    item_count: z.number().int(),
    pricing: z.object({
      subtotal: z.string(),
      discount_total: z.string(),
      discounts: z.array(DiscountView),
      delivery_total: z.string(),
      tax_total: z.string(),
      tax_lines: z.array(TaxLineView),
      total_price: z.string(),
      currency: z.string(),
    }),
    coupon: CouponView.nullable().openapi({ description: "The first of the coupons." }),
    coupons: z.array(CouponView),
    delivery: ChosenDeliveryView.nullable(),
    notices: z
      .array(NoticeView)
      .openapi({ description: "What the last write has taken out of the cart by itself." }),
    updated_at: z.string(),
  })
  .openapi("Cart");

/**
 * A cart's response with its lines as JSON in UTF-8. A write changes one line and returns all of
 * them. So each line is encoded only once, and its bytes are copied into later responses.
 */
export type CartResponse = Readonly<{
  summary: Omit<z.infer<typeof CartView>, "items">;
  items: Uint8Array;
  /** The line that was written. Null in responses that contain no such line. */
  item: Uint8Array | null;
}>;

/** The JSON of a CartView in parts, with `item` if the response contains the written line. */
export const cartJsonChunks = ({ summary, items, item }: CartResponse): readonly JsonChunk[] => [
  `${JSON.stringify(summary).slice(0, -1)},"items":`,
  items,
  ...(item === null ? [] : [',"item":', item]),
  "}",
];

/** The parts of a business that a cart's response needs. */
type CartBusiness = Pick<Business, "id" | "currency"> &
  Readonly<{ settings: Pick<Business["settings"], "tax"> }>;

type CartViewOptions = Readonly<{ business: CartBusiness; address: PublicAddress }>;

/** Views a cart. `lineId` is the line that the response also contains as `item`. */
export function viewCart(
  cart: Cart,
  { business, address }: CartViewOptions,
  lineId: string | null = null,
): CartResponse {
  const options = { currency: business.currency, address };
  const items = cart.lines.map((line, index) =>
    encodeItem(line, lineDiscounts(cart.discounts, index), options),
  );
  const writtenIndex = cart.lines.findIndex(({ id }) => id === lineId);
  return {
    summary: viewSummary(cart, business),
    items: joinItems(items),
    item: items[writtenIndex] ?? null,
  };
}

/**
 * A cart's response as it is stored for repeated requests. Its lines are text, because the storage
 * is JSON.
 */
export type StoredCartResponse = Readonly<{
  summary: CartResponse["summary"];
  items: string;
  item: string | null;
}>;

export const toStoredCartResponse = ({
  summary,
  items,
  item,
}: CartResponse): StoredCartResponse => ({
  summary,
  items: decoder.decode(items),
  item: item && decoder.decode(item),
});

export const fromStoredCartResponse = ({
  summary,
  items,
  item,
}: StoredCartResponse): CartResponse => ({
  summary,
  items: encoder.encode(items),
  item: item === null ? null : encoder.encode(item),
});

function viewSummary(
  cart: Cart,
  { id, currency, settings }: CartBusiness,
): CartResponse["summary"] {
  const price = cartPrice(cart, settings.tax);
  const coupons = cart.coupons.map((coupon) => viewCoupon(coupon, currency));
  return {
    id: cart.id,
    business_id: id,
    item_count: itemCount(cart),
    pricing: {
      subtotal: formatMoney(price.subtotalMinor, currency),
      discount_total: formatMoney(price.discountTotalMinor, currency),
      discounts: cart.discounts.map((discount) => viewDiscount(discount, currency)),
      delivery_total: formatMoney(price.deliveryTotalMinor, currency),
      tax_total: formatMoney(price.taxTotalMinor, currency),
      tax_lines: price.taxLines.map((line) => viewTaxLine(line, currency)),
      total_price: formatMoney(price.totalPriceMinor, currency),
      currency,
    },
    coupon: coupons[0] ?? null,
    coupons,
    delivery: cart.delivery && viewDelivery(cart.delivery, currency),
    notices: cart.notices.map(viewNotice),
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
  value: isValueDiscount(discount) ? dealValue(discount, currency) : null,
});

const viewDelivery = (
  { optionId, type, name, priceMinor, address, locationId }: NonNullable<Cart["delivery"]>,
  currency: string,
): z.infer<typeof ChosenDeliveryView> => ({
  option_id: optionId,
  type,
  name,
  price: formatMoney(priceMinor, currency),
  address,
  location_id: locationId,
});

function viewNotice(notice: Cart["notices"][number]): z.infer<typeof NoticeView> {
  const { message } = notice;
  return notice.code === "COUPON_REMOVED"
    ? { code: notice.code, message, coupon: notice.coupon }
    : { code: notice.code, message, option_id: notice.optionId };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type ItemOptions = Readonly<{ currency: string; address: PublicAddress }>;

/** The encoded lines as a JSON array. */
function joinItems(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return encoder.encode("[]");
  const json = new Uint8Array(items.reduce((sum, { length }) => sum + length + 1, 1));
  let offset = 0;
  for (const item of items) {
    json[offset] = offset === 0 ? openBracket : comma;
    json.set(item, offset + 1);
    offset += item.length + 1;
  }
  json[offset] = closeBracket;
  return json;
}

const charCodeOf = (character: string): number => character.charCodeAt(0);
const [openBracket, comma, closeBracket] = [charCodeOf("["), charCodeOf(","), charCodeOf("]")];

type EncodedItem = Readonly<{
  json: Uint8Array;
  origin: string;
  discounts: readonly LineDiscount[];
}>;

// The encoded lines. A line that did not change is the same object, so the map finds its bytes.
// They are for callers of one host, because image URLs contain it, and for the same discounts.
const encodedItems = new WeakMap<CartLine, EncodedItem>();

function encodeItem(
  line: CartLine,
  discounts: readonly LineDiscount[],
  options: ItemOptions,
): Uint8Array {
  const { origin } = options.address;
  const cached = encodedItems.get(line);
  if (cached?.origin === origin && isSameDiscounts(cached.discounts, discounts)) {
    return cached.json;
  }
  const json = encoder.encode(JSON.stringify(viewItem(line, discounts, options)));
  encodedItems.set(line, { json, origin, discounts });
  return json;
}

const isSameDiscounts = (a: readonly LineDiscount[], b: readonly LineDiscount[]): boolean =>
  a.length === b.length &&
  a.every(
    ({ dealId, amountMinor }, index) =>
      dealId === b[index]?.dealId && amountMinor === b[index].amountMinor,
  );

const viewPlan = (plan: PlanTerms | null): z.infer<typeof CartItemView>["billing_plan"] =>
  plan && {
    name: plan.name,
    interval: plan.interval,
    interval_count: plan.intervalCount,
    trial_days: plan.trialDays,
  };

function viewItem(
  { id, configuration, quantity, snapshot, holdExpiresAt }: CartLine,
  discounts: readonly LineDiscount[],
  options: ItemOptions,
): z.infer<typeof CartItemView> {
  const { currency } = options;
  return {
    id,
    item_id: configuration.productId,
    name: snapshot.name,
    variant_id: snapshot.variantId,
    variant_name: snapshot.variantName,
    quantity,
    unit_price: formatMoney(snapshot.unitPriceMinor, currency),
    line_total: formatMoney(snapshot.unitPriceMinor * quantity, currency),
    discounts: discounts.map((discount) => viewLineDiscount(discount, currency)),
    compare_at_price: formatMoneyOrNull(snapshot.compareAtPriceMinor, currency),
    renewal_price: formatMoneyOrNull(snapshot.renewalPriceMinor, currency),
    ...viewLineDetails({ parts: snapshot.parts, details: snapshot.details ?? null }, options),
    add_on_options: [...configuration.addOnOptionIds],
    bundle_selections: configuration.bundleSelections.map(viewSelection),
    composite_selections: configuration.compositeSelections.map(viewSelection),
    special_instructions: configuration.specialInstructions,
    location_id: configuration.locationId,
    quote_id: snapshot.lock?.quoteId ?? null,
    billing_plan_id: configuration.billingPlanId,
    billing_plan: viewPlan(snapshot.billingPlan ?? null),
    scheduled_start: isoOrNull(configuration.slot?.start ?? null),
    scheduled_end: isoOrNull(configuration.slot?.end ?? null),
    staff_id: configuration.slot?.staffId ?? null,
    requires_shipping: snapshot.requiresShipping ?? configuration.slot == null,
    hold_expires_at: isoOrNull(holdExpiresAt ?? null),
  };
}
