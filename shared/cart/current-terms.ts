import type { Prefetch } from "../database/index.ts";
import { type ChosenDelivery, chosenDelivery, deliveryPlaceOf } from "../delivery/index.ts";
import type { ProductSet } from "../pricing/index.ts";
import type { Cart } from "./cart.ts";
import { deliveryRemoved } from "./cart-notice.ts";
import { withDiscounts } from "./cart-price.ts";
import { type DeliveryTarget, prefetchTax, withCurrentTax } from "./cart-tax.ts";
import type { CartContext, CartOffer } from "./context.ts";
import { couponCodesOf, findOffer } from "./coupons/cart-coupons.ts";
import {
  findOptions,
  type OptionTerms,
  prefetchDeliveryOptions,
} from "./delivery/delivery-options.ts";

/**
 * Prefetches what a cart's delivery and taxes follow from, for the batch that reads its products.
 *
 * @param added the item that the write adds; without a location it may get any.
 */
export const prefetchTerms = (
  ctx: CartContext,
  cart: Omit<Cart, "delivery"> & Readonly<{ delivery: DeliveryTarget | null }>,
  added?: Readonly<{ productId: string; locationId: string | null }>,
): readonly Prefetch[] => [
  ...prefetchTax(ctx, cart, added),
  ...(cart.delivery?.type === "delivery"
    ? prefetchDeliveryOptions(ctx, cart, placeOf(ctx, cart.delivery), { added })
    : []),
];

/** Recalculates the discounts, drops coupons that no longer apply, and reads delivery and taxes. */
export async function applyDeals(
  ctx: CartContext,
  cart: Cart,
  products: ProductSet,
): Promise<Cart> {
  const offer = await findOffer(ctx, couponCodesOf(cart));
  const discounted = withDiscounts(cart, { products, offer, now: ctx.now() });
  return withCurrentTerms(ctx, discounted, { products, offer });
}

type CartTerms = Readonly<{ products: ProductSet; offer: CartOffer }>;

/** The cart with the current price of its delivery and the taxes of its place, at most 5 s old. */
export async function withCurrentTerms(
  ctx: CartContext,
  cart: Cart,
  terms: CartTerms,
): Promise<Cart> {
  return withCurrentTax(ctx, await withCurrentDelivery(ctx, cart, terms));
}

/** The cart with the current price of its delivery. An empty one keeps its choice as it is. */
export async function withCurrentDelivery(
  ctx: Parameters<typeof findOptions>[0],
  cart: Cart,
  terms: CartTerms,
): Promise<Cart> {
  const { delivery } = cart;
  if (delivery === null || cart.lines.length === 0) return cart;
  const zones =
    delivery.type === "delivery"
      ? (await ctx.delivery.offers.find(placeOf(ctx, delivery))).zones
      : [];
  const { optionId, address } = delivery;
  const options = { ...terms, delivery: { zones }, optionId, address };
  return (await withOption(ctx, cart, options)) ?? withoutDelivery(ctx, cart, terms);
}

type ChosenOption = OptionTerms & Pick<ChosenDelivery, "optionId" | "address">;

/** The cart with an option at its current price; null when the option does not apply to it. */
export async function withOption(
  ctx: Parameters<typeof findOptions>[0],
  cart: Cart,
  { optionId, address, ...terms }: ChosenOption,
): Promise<Cart | null> {
  const options = await findOptions(ctx, cart, terms);
  const option = options.find(({ id }) => id === optionId);
  return option
    ? withDelivery(cart, chosenDelivery(option, address), { ...terms, now: ctx.now() })
    : null;
}

/** The cart with a delivery, or without one, and the discounts that follow from its price. */
function withDelivery(
  cart: Cart,
  delivery: ChosenDelivery | null,
  terms: CartTerms & Readonly<{ now: number }>,
): Cart {
  const changed = { ...cart, delivery };
  if (delivery?.priceMinor === cart.delivery?.priceMinor) return changed;
  return { ...withDiscounts(changed, terms), notices: cart.notices };
}

const withoutDelivery = (ctx: Pick<CartContext, "now">, cart: Cart, terms: CartTerms): Cart => {
  const changed = withDelivery(cart, null, { ...terms, now: ctx.now() });
  const { delivery } = cart;
  return delivery === null
    ? changed
    : { ...changed, notices: [...cart.notices, deliveryRemoved(delivery)] };
};

const placeOf = (
  { business }: Pick<CartContext, "business">,
  { address }: Pick<ChosenDelivery, "address">,
) => deliveryPlaceOf(address, business);
