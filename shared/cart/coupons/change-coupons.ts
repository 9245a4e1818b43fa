import { notFound, ruleViolation } from "../../kernel/index.ts";
import {
  type CouponRejectionReason,
  couponRefusal,
  type DealTerms,
  linesRejection,
} from "../../pricing/index.ts";
import type { Cart } from "../cart.ts";
import {
  cartPrice,
  cartProductIds,
  pricedLines,
  repriceLinesThatFit,
  withDiscounts,
} from "../cart-price.ts";
import type { CartContext, CartOffer } from "../context.ts";
import { applyDeals, prefetchTerms, withCurrentTerms } from "../current-terms.ts";
import { refreshQuoteLocks } from "../quote-lock.ts";
import { couponCodesOf, findCoupon, findOffer, isSameCode, toCartCoupon } from "./cart-coupons.ts";

/**
 * Adds a coupon. In a business whose carts have one coupon it replaces an earlier one. A code that
 * the cart has already stays in its place. The coupon's use count may be 5 s old, because checkout
 * enforces the limits. When the new coupon is refused, the earlier ones remain.
 *
 * @throws Refusal COUPON_INVALID, COUPON_NOT_STARTED, COUPON_EXPIRED, COUPON_MIN_NOT_MET,
 * COUPON_EXHAUSTED; COUPON_LIMIT when the cart has as many coupons as it may.
 */
export async function applyCoupon(ctx: CartContext, cart: Cart, code: string): Promise<Cart> {
  const { applied, reason, terms } = await tryCoupon(ctx, cart, code);
  if (reason === "COUPON_LIMIT") throw couponLimit(ctx.business.settings);
  if (reason !== null) throw couponRefusal(reason);
  return { ...(await withCurrentTerms(ctx, applied, terms)), updatedAt: ctx.now() };
}

const couponLimit = ({ maxCoupons }: Readonly<{ maxCoupons: number }>) =>
  ruleViolation("COUPON_LIMIT", `A cart may have ${maxCoupons} coupons. Remove one first.`, {
    limit: maxCoupons,
  });

/** What a code would do to a cart; amounts of a refused one are those of the cart without it. */
export type CouponPreview<D extends DealTerms> = Readonly<{
  reason: CouponRejectionReason | "COUPON_LIMIT" | null;
  discountMinor: number;
  /** The cart's subtotal without all of its discounts. */
  finalSubtotalMinor: number;
  deal: D | null;
}>;

type PreviewContext<D extends DealTerms> = Omit<CartContext, "findDeals"> &
  Readonly<{ findDeals: (couponCodes: readonly string[]) => Promise<CartOffer<D>> }>;

/** Applies a coupon to a cart without storing it; null for an empty cart. */
export async function previewCoupon<D extends DealTerms>(
  ctx: PreviewContext<D>,
  cart: Cart,
  code: string,
): Promise<CouponPreview<D> | null> {
  if (cart.lines.length === 0) return null;
  const { applied, without, reason, deal } = await tryCoupon(ctx, cart, code);
  const priced = reason === null ? applied : without;
  const { subtotalMinor, discountTotalMinor } = cartPrice(priced, ctx.business.settings.tax);
  return {
    reason,
    discountMinor: priced.discounts.find(({ dealId }) => dealId === deal?.id)?.amountMinor ?? 0,
    finalSubtotalMinor: subtotalMinor - discountTotalMinor,
    deal,
  };
}

/** The cart at current prices with and without a coupon, and why the coupon is refused. */
async function tryCoupon<D extends DealTerms>(ctx: PreviewContext<D>, cart: Cart, code: string) {
  const now = ctx.now();
  const codes = [...couponCodesOf(cart).filter((other) => !isSameCode(other, code)), code];
  const { cart: cartWithLocks, loaded: products } = await refreshQuoteLocks(
    ctx,
    cart,
    (prefetches) =>
      ctx.findProducts(cartProductIds(cart), codes, [...prefetches, ...prefetchTerms(ctx, cart)]),
  );
  const offer = await findOffer(ctx, codes);
  const deal = findCoupon(offer, code);
  const current = repriceLinesThatFit(cartWithLocks, products, now);
  const rejection = linesRejection(deal, { lines: pricedLines(current.lines, products), now });
  const { maxCoupons } = ctx.business.settings;
  const earlier = maxCoupons === 1 ? [] : current.coupons;
  const isPresent = findCoupon({ coupons: earlier }, code) !== null;
  const withCode = deal && !isPresent ? [...earlier, toCartCoupon(deal)] : earlier;
  const priced = (coupons: Cart["coupons"]) =>
    withDiscounts({ ...current, coupons }, { products, offer, now });
  const applied = priced(withCode);
  const isOneTooMany = !isPresent && applied.coupons.length > maxCoupons;
  return {
    applied,
    terms: { products, offer },
    without: priced(earlier.filter((coupon) => !isSameCode(coupon.code, code))),
    deal,
    reason: rejection ?? (isOneTooMany ? ("COUPON_LIMIT" as const) : null),
  };
}

/** Removes all coupons. */
export const removeCoupons = (ctx: CartContext, cart: Cart): Promise<Cart> =>
  keepCoupons(ctx, cart, []);

/** Removes the coupon of a code. @throws Refusal NOT_FOUND for a code that is not in the cart. */
export async function removeCoupon(ctx: CartContext, cart: Cart, code: string): Promise<Cart> {
  const coupons = cart.coupons.filter((coupon) => !isSameCode(coupon.code, code));
  if (coupons.length === cart.coupons.length) throw notFound("coupon in this cart");
  return keepCoupons(ctx, cart, coupons);
}

async function keepCoupons(ctx: CartContext, cart: Cart, coupons: Cart["coupons"]): Promise<Cart> {
  if (coupons.length === cart.coupons.length) return cart;
  const { cart: cartWithLocks, loaded: products } = await refreshQuoteLocks(
    ctx,
    { ...cart, coupons },
    (prefetches) =>
      ctx.findProducts(cartProductIds(cart), couponCodesOf({ coupons }), [
        ...prefetches,
        ...prefetchTerms(ctx, cart),
      ]),
  );
  const current = repriceLinesThatFit(cartWithLocks, products, ctx.now());
  return { ...(await applyDeals(ctx, current, products)), updatedAt: ctx.now() };
}
