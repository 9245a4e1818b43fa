import { stockNeeds } from "../availability/index.ts";
import {
  assertCartFits,
  type Cart,
  type CartLine,
  cartPrice,
  couponCodesOf,
  couponRemoved,
  findCoupon,
  locationBoundNeeds,
  pricedLines,
  releaseHolds,
  repriceLines,
  repriceLinesThatFit,
  unavailableLines,
  withDiscounts,
} from "../cart/index.ts";
import type { BillingPlan } from "../catalogue/index.ts";
import type { OfferedDeals } from "../deals/index.ts";
import {
  type CartPrice,
  couponRefusal,
  linesRejection,
  type PricedLine,
  type ProductSet,
  requireBillingPlan,
  totalsOf,
} from "../pricing/index.ts";
import { assertOrderable } from "./assert-orderable.ts";
import { CartRefusal, linesUnavailable, priceChanged } from "./cart-refusal.ts";
import type { CheckoutPlan, CheckoutRequest, PlannedAmounts, PricingReads } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { hasRoundTripsLeft } from "./round-trip-budget.ts";
import {
  type UsedUpDealIds,
  usesExhaustedCoupon,
  withoutAutomatic,
  withoutDeals,
} from "./used-up-deals.ts";

type PricingInput = Readonly<{
  cart: Cart;
  couponCodes: readonly string[];
  request: Pick<CheckoutRequest, "expectedTotalMinor">;
  catalogue: PricingReads;
  locationId: string;
  /** Finds the deals that the customer has used up, among those that apply to the lines. */
  findUsedUp: (
    offer: OfferedDeals,
    lines: readonly PricedLine[],
  ) => Promise<UsedUpDealIds> | UsedUpDealIds;
}>;

/** A cart with its prices, discounts and totals as it is ordered. */
export type PricedOrder = Readonly<{ cart: Cart; usedUp: UsedUpDealIds; price: CartPrice }> &
  Pick<CheckoutPlan, "tax">;

/**
 * Prices a cart for an order. Outside, only the holds of removed lines change.
 *
 * @throws CartRefusal ITEM_UNAVAILABLE without the lines that cannot be bought, a coupon reason
 * without the coupons that no longer apply, PRICE_CHANGED for another total than the expected one;
 * Refusal as `assertCartFits` and `assertOrderable`.
 */
export async function priceOrder(ctx: CheckoutContext, input: PricingInput): Promise<PricedOrder> {
  const { catalogue, locationId, request } = input;
  const { products, offer, tax: terms, at: now } = catalogue;
  await assertAvailable(ctx, input);
  const repriced = repriceLines(input.cart, products, now);
  assertCartFits(repriced);
  const current = withDiscounts({ ...repriced, tax: terms }, { products, offer, now });
  const lines = pricedLines(current.lines, products);
  const removed = input.couponCodes.find((code) => !findCoupon(current, code));
  if (removed !== undefined) {
    const deal = findCoupon(offer, removed);
    const reason = linesRejection(deal, { lines, now }) ?? "COUPON_INVALID";
    const cart = withRemovedCodes(current, input.couponCodes);
    throw new CartRefusal({ ...cart, updatedAt: ctx.now() }, couponRefusal(reason));
  }
  assertOrderable(ctx, current, { products, locationId, now });
  const usedUp = await input.findUsedUp(offer, lines);
  const priced = withDiscounts(current, { products, offer: withoutAutomatic(offer, usedUp), now });
  if (usesExhaustedCoupon(priced.discounts, usedUp)) {
    const cart = withDiscounts(current, { products, offer: withoutDeals(offer, usedUp), now });
    throw new CartRefusal({ ...cart, updatedAt: now }, couponRefusal("COUPON_EXHAUSTED"));
  }
  const { tax } = ctx.business.settings;
  const price = cartPrice(priced, tax);
  const { expectedTotalMinor: expectedMinor } = request;
  const totalMinor = price.totalPriceMinor;
  if (expectedMinor !== undefined && expectedMinor !== totalMinor) {
    throw priceChanged(ctx, { ...priced, updatedAt: now }, { expectedMinor, totalMinor });
  }
  return { cart: priced, usedUp, price, tax };
}

/** @throws CartRefusal ITEM_UNAVAILABLE. A hold that is not released expires by itself. */
async function assertAvailable(
  ctx: CheckoutContext,
  { cart, couponCodes, catalogue: { products, offer, at: now } }: PricingInput,
): Promise<void> {
  const unavailable = unavailableLines(cart, { products, now, business: ctx.business });
  if (unavailable.length === 0) return;
  const lines = cart.lines.filter((line) => !unavailable.includes(line));
  if (hasRoundTripsLeft(ctx, 1)) await releaseHolds(ctx, cart, unavailable);
  const remaining = repriceLinesThatFit({ ...cart, lines, updatedAt: now }, products, now);
  throw linesUnavailable(
    withRemovedCodes(withDiscounts(remaining, { products, offer, now }), couponCodes),
    unavailable.map(({ snapshot }) => snapshot.name),
  );
}

/** The cart with a notice for each code that it does not have any more, also one without a deal. */
const withRemovedCodes = (cart: Cart, couponCodes: readonly string[]): Cart => ({
  ...cart,
  notices: couponCodes.filter((code) => !findCoupon(cart, code)).map(couponRemoved),
});

/** The part of a plan that follows from a priced order, without its lines. */
export const pricedPlan = (
  { cart, price, tax, usedUp }: PricedOrder,
  products: ProductSet,
): Pick<
  CheckoutPlan,
  | "totals"
  | "amounts"
  | "tax"
  | "discounts"
  | "couponCodes"
  | "usedUpDealIds"
  | "stock"
  | "tiedStock"
> => ({
  totals: totalsOf(price),
  amounts: plannedAmounts(price),
  ...(tax && { tax }),
  discounts: cart.discounts,
  couponCodes: couponCodesOf(cart),
  usedUpDealIds: [...usedUp],
  stock: [...stockNeeds(cart.lines, products)],
  tiedStock: [...locationBoundNeeds(cart.lines, products)],
});

const plannedAmounts = ({
  deliveryTotalMinor,
  taxLines,
  lineTaxMinor,
  lineExemptedTaxMinor,
}: CartPrice): PlannedAmounts => ({
  deliveryTotalMinor,
  taxLines,
  lineTaxMinor,
  lineExemptedTaxMinor,
});

/** The billing plan of a line with its current terms. */
export function billingPlanOf(
  { configuration }: CartLine,
  products: ProductSet,
): BillingPlan | null {
  const product = products.get(configuration.productId);
  return product ? requireBillingPlan(product, configuration.billingPlanId) : null;
}
