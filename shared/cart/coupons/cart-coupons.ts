import type { CouponRejectionReason, DealTerms } from "../../pricing/index.ts";
import type { Cart, CartCoupon } from "../cart.ts";
import type { CartContext, CartOffer } from "../context.ts";

/** The codes of the cart's coupons, in the order in which they were added. */
export const couponCodesOf = ({ coupons }: Pick<Cart, "coupons">): readonly string[] =>
  coupons.map(({ code }) => code);

export const toCartCoupon = ({ id, code, name, discount }: DealTerms): CartCoupon => ({
  dealId: id,
  code: code ?? "",
  name,
  discount,
});

/** Whether two codes are the same, without regard to case and surrounding spaces. */
export const isSameCode = (one: string, other: string): boolean =>
  one.trim().toUpperCase() === other.trim().toUpperCase();

/** The deal or coupon of a code; null when there is none. */
export const findCoupon = <C extends Readonly<{ code: string | null }>>(
  { coupons }: Readonly<{ coupons: readonly C[] }>,
  couponCode: string,
): C | null => coupons.find(({ code }) => code !== null && isSameCode(code, couponCode)) ?? null;

/** Why a code was taken out of the cart by itself; null when it was not, or no reason is stored. */
export const removalReason = (
  { notices }: Pick<Cart, "notices">,
  couponCode: string,
): CouponRejectionReason | null =>
  notices
    .filter((notice) => notice.code === "COUPON_REMOVED")
    .find(({ coupon }) => isSameCode(coupon, couponCode))?.reason ?? null;

/** Whether one of the deals is limited to customer groups. */
export const isLimitedToGroups = ({ automatic, coupons }: CartOffer): boolean =>
  [...automatic, ...coupons].some(({ customerGroupIds }) => Boolean(customerGroupIds));

/** The deals that are for everybody, or for one of these customer groups. */
export function offerForCustomerGroups<O extends CartOffer>(
  offer: O,
  groupIds: ReadonlySet<string>,
): O {
  const isOpen = ({ customerGroupIds }: DealTerms) =>
    !customerGroupIds || customerGroupIds.some((id) => groupIds.has(id));
  return {
    ...offer,
    automatic: offer.automatic.filter(isOpen),
    coupons: offer.coupons.filter(isOpen),
  };
}

type OfferContext<D extends DealTerms> = Pick<CartContext, "findCustomerGroups"> &
  Readonly<{ findDeals: (couponCodes: readonly string[]) => Promise<CartOffer<D>> }>;

/** The deals that the caller may use: without those of customer groups that the caller is not in. */
export async function findOffer<D extends DealTerms>(
  ctx: OfferContext<D>,
  couponCodes: readonly string[],
): Promise<CartOffer<D>> {
  const offer = await ctx.findDeals(couponCodes);
  if (!isLimitedToGroups(offer)) return offer;
  return offerForCustomerGroups(offer, (await ctx.findCustomerGroups?.()) ?? new Set());
}

/** A cart as it was stored before carts had a delivery. */
type CartWithoutDelivery = Omit<Cart, "delivery" | "deliveryAddress">;

/** A cart as it was stored before carts had several coupons. */
type CartWithOneCoupon = Omit<CartWithoutDelivery, "coupons" | "notices"> &
  Readonly<{ coupon: CartCoupon | null }>;

/** The cart of a stored document, which may be from before carts had several coupons or a delivery. */
export function cartFromStored(stored: Cart | CartWithoutDelivery | CartWithOneCoupon): Cart {
  const withoutDelivery = { delivery: null, deliveryAddress: null };
  if ("coupons" in stored) return { ...withoutDelivery, ...stored };
  const { coupon, ...cart } = stored;
  return { ...withoutDelivery, ...cart, coupons: coupon ? [coupon] : [], notices: [] };
}
