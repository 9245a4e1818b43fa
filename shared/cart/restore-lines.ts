import type { ChosenDelivery } from "../delivery/index.ts";
import type { DealTerms } from "../pricing/index.ts";
import { isSlotUnavailable, prefetchServices } from "../scheduling/index.ts";
import {
  addLine,
  assertCartFits,
  assertSameLocation,
  type Cart,
  configurationKey,
  type NewLine,
  requireLine,
  withHold,
} from "./cart.ts";
import { cartPrice, repriceLines, withDiscounts } from "./cart-price.ts";
import type { CartContext, CartOffer } from "./context.ts";
import { couponCodesOf, findOffer, isSameCode, toCartCoupon } from "./coupons/cart-coupons.ts";
import { prefetchTerms, withCurrentTerms } from "./current-terms.ts";
import { holdSlot } from "./slot-hold.ts";

type RestoredLines = Readonly<{
  lines: readonly NewLine[];
  /** Whether they were ordered from this very cart, which may still have them. */
  isSameCart: boolean;
  /** The codes of the order's coupons. */
  couponCodes: readonly string[];
  /** How the order was to be delivered; null when it was not. */
  delivery: ChosenDelivery | null;
}>;

/**
 * Puts the lines of an order back into a cart, at current prices. The cart's own lines stay: a line
 * that was ordered from this cart and is still in it is not added again, and equal lines of another
 * cart are merged. The order's coupons and its delivery come back when they apply and the cart has
 * none of its own. Slots are held afterwards, by `holdRestoredSlots`, because the order still books them.
 *
 * @throws Refusal VALIDATION_ERROR, LINE_TOO_LARGE, CART_FULL, LOCATION_MISMATCH when the cart cannot take them.
 */
export async function restoreLines(
  ctx: CartContext,
  cart: Cart,
  { lines, isSameCart, couponCodes, delivery }: RestoredLines,
): Promise<Cart> {
  const presentKeys = new Set(
    cart.lines.map(({ configuration }) => configurationKey(configuration)),
  );
  const missing = isSameCart
    ? lines.filter(({ configuration }) => !presentKeys.has(configurationKey(configuration)))
    : lines;
  const extended = missing.reduce((current, line) => {
    assertSameLocation(current, line.configuration);
    return addLine(current, line, () => ctx.newId("ci")).cart;
  }, cart);
  const restored = cart.delivery ? extended : { ...extended, ...withAddress(delivery) };
  const ids = restored.lines.map(({ configuration }) => configuration.productId);
  const codes = cart.coupons.length > 0 ? couponCodesOf(cart) : couponCodes;
  const products = await ctx.findProducts([...new Set(ids)], codes, prefetchTerms(ctx, restored));
  const offer = withoutUsesOf(couponCodes, await findOffer(ctx, codes));
  const now = ctx.now();
  const coupons = cart.coupons.length > 0 ? cart.coupons : offer.coupons.map(toCartCoupon);
  const repriced = { ...repriceLines(restored, products, now), coupons };
  assertCartFits(repriced);
  const discounted = withDiscounts(repriced, { products, offer, now });
  const priced = await withCurrentTerms(ctx, discounted, { products, offer });
  cartPrice(priced, ctx.business.settings.tax); // rejects totals too large to charge
  return { ...priced, updatedAt: now };
}

const withAddress = (delivery: ChosenDelivery | null) => ({
  delivery,
  ...(delivery?.type === "delivery" && { deliveryAddress: delivery.address }),
});

/** The offer without the order's own uses of its coupons, which end with the order. */
function withoutUsesOf(couponCodes: readonly string[], offer: CartOffer): CartOffer {
  const isOfOrder = ({ code }: DealTerms) =>
    code !== null && couponCodes.some((own) => isSameCode(own, code));
  return {
    ...offer,
    coupons: offer.coupons.map((deal) =>
      isOfOrder(deal) ? { ...deal, timesRedeemed: Math.max(deal.timesRedeemed - 1, 0) } : deal,
    ),
  };
}

/**
 * Holds the slots of a cart's services for ten minutes, like a service that is added, and returns
 * the cart that says so. A line whose slot is taken gets no hold, so that checkout says which lines
 * need another time.
 */
export async function holdRestoredSlots(ctx: CartContext, cart: Cart): Promise<Cart> {
  const lines = cart.lines.filter(({ configuration }) => configuration.slot);
  if (lines.length === 0) return cart;
  const ids = [...new Set(lines.map(({ configuration }) => configuration.productId))];
  const services = prefetchServices(ctx, ids);
  const bookables = await services.find(await ctx.findProducts(ids, [], [services.prefetch]));
  const ends = await Promise.all(
    lines.map(async (line) => {
      try {
        const bookable = bookables.get(line.configuration.productId);
        const held = await holdSlot(ctx, cart, { line, bookable });
        return requireLine(held, line.id).holdExpiresAt ?? null;
      } catch (error) {
        if (!isSlotUnavailable(error)) throw error;
        return null;
      }
    }),
  );
  return lines.reduce((held, { id }, index) => withHold(held, id, ends[index] ?? null), cart);
}
