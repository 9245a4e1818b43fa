import {
  type CouponRejectionReason,
  couponRefusal,
  type DealTerms,
  linesRejection,
} from "../pricing/index.ts";
import type { Cart } from "./cart.ts";
import { cartProductIds } from "./cart-items.ts";
import {
  applyDeals,
  cartPrice,
  pricedLines,
  repriceLinesThatFit,
  toCartCoupon,
  withDiscounts,
  withoutCoupon,
} from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { refreshQuoteLocks } from "./quote-lock.ts";

/**
 * Applies a coupon and replaces an earlier one. The coupon's use count may be 5 s old, because
 * checkout enforces the limits. When the new coupon is refused, the earlier one remains.
 *
 * @throws Refusal COUPON_INVALID, COUPON_NOT_STARTED, COUPON_EXPIRED, COUPON_MIN_NOT_MET,
 * COUPON_EXHAUSTED.
 */
export async function applyCoupon(ctx: CartContext, cart: Cart, code: string): Promise<Cart> {
  const { current, products, offer, reason, now } = await offerCoupon(ctx, cart, code);
  if (reason !== null) throw couponRefusal(reason);
  const coupon = offer.coupon && toCartCoupon(offer.coupon);
  return withDiscounts({ ...current, coupon, updatedAt: now }, { products, offer, now });
}

/** What a code would do to a cart; amounts of a refused one are those of the cart without it. */
export type CouponPreview<D extends DealTerms> = Readonly<{
  reason: CouponRejectionReason | null;
  discountMinor: number;
  /** The cart's subtotal without all of its discounts. */
  finalSubtotalMinor: number;
  deal: D | null;
}>;

type PreviewContext<D extends DealTerms> = Omit<CartContext, "findDeals"> &
  Readonly<{
    findDeals: (
      couponCode: string | null,
    ) => Promise<Readonly<{ automatic: readonly D[]; coupon: D | null }>>;
  }>;

/** Applies a coupon to a cart without storing it; null for an empty cart. */
export async function previewCoupon<D extends DealTerms>(
  ctx: PreviewContext<D>,
  cart: Cart,
  code: string,
): Promise<CouponPreview<D> | null> {
  if (cart.lines.length === 0) return null;
  const { current, products, offer, reason, now } = await offerCoupon(ctx, cart, code);
  const coupon = reason === null && offer.coupon ? toCartCoupon(offer.coupon) : null;
  const priced = withDiscounts({ ...current, coupon }, { products, offer, now });
  const { subtotalMinor, discountTotalMinor } = cartPrice(priced, ctx.business.settings.tax);
  return {
    reason,
    discountMinor: priced.discounts.find((discount) => discount.code !== null)?.amountMinor ?? 0,
    finalSubtotalMinor: subtotalMinor - discountTotalMinor,
    deal: offer.coupon,
  };
}

/** The cart at current prices, and whether the code's deal applies to it. */
async function offerCoupon<D extends DealTerms>(ctx: PreviewContext<D>, cart: Cart, code: string) {
  const now = ctx.now();
  const { cart: cartWithLocks, loaded: products } = await refreshQuoteLocks(
    ctx,
    cart,
    (prefetches) => ctx.findProducts(cartProductIds(cart), code, prefetches),
  );
  const offer = await ctx.findDeals(code);
  const current = repriceLinesThatFit(cartWithLocks, products, now);
  const lines = pricedLines(current.lines, products);
  return { current, products, offer, reason: linesRejection(offer.coupon, { lines, now }), now };
}

/** Removes the coupon, if there is one. */
export async function removeCoupon(ctx: CartContext, cart: Cart): Promise<Cart> {
  if (cart.coupon === null) return cart;
  const { cart: cartWithLocks, loaded: products } = await refreshQuoteLocks(
    ctx,
    cart,
    (prefetches) => ctx.findProducts(cartProductIds(cart), null, prefetches),
  );
  const current = repriceLinesThatFit(withoutCoupon(cartWithLocks), products, ctx.now());
  return { ...(await applyDeals(ctx, current, products)), updatedAt: ctx.now() };
}
