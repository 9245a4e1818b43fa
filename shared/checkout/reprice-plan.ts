import { lineFulfilment } from "../availability/index.ts";
import { type Cart, toCartCoupon } from "../cart/index.ts";
import {
  type CheckoutPlan,
  type PlannedCheckout,
  type PlannedLine,
  type PricingReads,
  plannedCouponCodes,
} from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { fxForTotal } from "./convert-currency.ts";
import { withReplaced } from "./order-terms.ts";
import { billingPlanOf, pricedPlan, priceOrder } from "./price-order.ts";
import type { UsedUpDealIds } from "./used-up-deals.ts";

/** The planned lines as a cart without its coupons. */
export const plannedCart = ({ request, plan }: PlannedCheckout): Cart => ({
  id: request.cartId,
  lines: plan.lines.map(({ orderLineId: _, billingPlan: __, fulfilment: ___, ...line }) => line),
  coupons: [],
  discounts: plan.discounts,
  notices: [],
  tax: null,
  delivery: plan.delivery ?? null,
  deliveryAddress: plan.delivery?.type === "delivery" ? plan.delivery.address : null,
  updatedAt: plan.createdAt,
});

type RepricingInput = Readonly<{
  checkout: PlannedCheckout;
  /** The planned lines with their current price locks. */
  cart: Cart;
  catalogue: PricingReads;
  usedUp: UsedUpDealIds;
}>;

/**
 * Prices a planned order again. Its ids, bookings and exchange rate stay, so that a repeated run
 * still finds what an earlier one did.
 *
 * @throws CartRefusal as `priceOrder`; Refusal FX_QUOTE_MISMATCH when the shopper's quote is for less.
 */
export async function repricePlan(
  ctx: CheckoutContext,
  { checkout, cart, catalogue, usedUp }: RepricingInput,
): Promise<PlannedCheckout> {
  const { plan, request } = checkout;
  const { products, offer } = catalogue;
  const priced = await priceOrder(withReplaced(ctx, plan), {
    cart: { ...cart, coupons: offer.coupons.map(toCartCoupon), tax: catalogue.tax },
    couponCodes: plannedCouponCodes(plan),
    request,
    catalogue,
    locationId: plan.locationId,
    findUsedUp: () => usedUp,
  });
  const pricedById = new Map(priced.cart.lines.map((line) => [line.id, line]));
  const withCurrentPrice = (line: PlannedLine): PlannedLine => {
    const { snapshot } = pricedById.get(line.id) ?? line;
    const current = { ...line, snapshot };
    return {
      ...current,
      billingPlan: billingPlanOf(line, products),
      fulfilment: lineFulfilment(current, products),
    };
  };
  const repriced: CheckoutPlan = {
    ...plan,
    ...pricedPlan(priced, products),
    lines: plan.lines.map(withCurrentPrice),
    fx: fxForTotal(plan.fx, priced.price.totalPriceMinor),
  };
  return { ...checkout, plan: repriced };
}
