import { stockNeeds } from "../availability/index.ts";
import {
  assertCartFits,
  type Cart,
  type CartLine,
  cartLocationId,
  cartPrice,
  couponCodesOf,
  couponRemoved,
  findCoupon,
  locationBoundNeeds,
  pricedLines,
  releaseHolds,
  removalReason,
  repriceLines,
  repriceLinesThatFit,
  unavailableLines,
  withCurrentDelivery,
  withDiscounts,
} from "../cart/index.ts";
import type { BillingPlan } from "../catalogue/index.ts";
import type { OfferedDeals } from "../deals/index.ts";
import { canonicalJson } from "../kernel/index.ts";
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
import { type DeliveryRequest, withOrderDelivery, withOwnTax } from "./order-delivery.ts";
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
  request: Pick<CheckoutRequest, "expectedTotalMinor"> & DeliveryRequest;
  catalogue: PricingReads;
  /** Where it is ordered when neither its lines nor its delivery name a location. */
  locationId: string;
  /** Finds the deals that the customer has used up, among those that apply to the lines. */
  findUsedUp: (
    offer: OfferedDeals,
    order: Readonly<{ lines: readonly PricedLine[] }> & Pick<Cart, "delivery">,
  ) => Promise<UsedUpDealIds> | UsedUpDealIds;
}>;

/** A cart with its prices, discounts and totals as it is ordered. */
export type PricedOrder = Readonly<{ cart: Cart; usedUp: UsedUpDealIds; price: CartPrice }> &
  Pick<CheckoutPlan, "tax" | "locationId">;

/**
 * Prices a cart for an order. Outside, only the holds of removed lines change.
 *
 * @throws CartRefusal ITEM_UNAVAILABLE without the lines that cannot be bought, a coupon reason
 * without the coupons that no longer apply, PRICE_CHANGED for another total than the expected one;
 * Refusal as `assertCartFits`, `withOrderDelivery` and `assertOrderable`.
 */
export async function priceOrder(ctx: CheckoutContext, input: PricingInput): Promise<PricedOrder> {
  const { catalogue, request } = input;
  const { products, offer, tax: terms, at: now } = catalogue;
  await assertAvailable(ctx, input);
  const repriced = repriceLines(input.cart, products, now);
  assertCartFits(repriced);
  const ownCart = { ...repriced, tax: terms };
  const withoutDelivery = { ...ownCart, delivery: null };
  const current = withDiscounts(withoutDelivery, { products, offer, now });
  const lines = pricedLines(current.lines, products);
  const removed = input.couponCodes.find((code) => !findCoupon(current, code));
  if (removed !== undefined) {
    const deal = findCoupon(offer, removed);
    const reason = linesRejection(deal, { lines, now }) ?? "COUPON_INVALID";
    const own = withRemovedCodes(withDiscounts(ownCart, { products, offer, now }), input);
    const cart = await withOwnDelivery(ctx, own, catalogue);
    throw new CartRefusal({ ...cart, updatedAt: ctx.now() }, couponRefusal(reason));
  }
  const delivered = await withOrderDelivery(ctx, current, toDeliveryInput(input, offer));
  const locationId =
    cartLocationId(delivered) ?? delivered.delivery?.locationId ?? input.locationId;
  assertOrderable(ctx, delivered, { products, locationId, now });
  const usedUp = await input.findUsedUp(offer, { lines, delivery: delivered.delivery });
  const allowed = withoutAutomatic(offer, usedUp);
  const goods = withDiscounts(current, { products, offer: allowed, now });
  const priced = await withOrderDelivery(ctx, goods, toDeliveryInput(input, allowed));
  if (usesExhaustedCoupon(priced.discounts, usedUp)) {
    const terms = { products, offer: withoutDeals(offer, usedUp), now };
    const own = withExhaustedCoupons(withDiscounts(ownCart, terms), { offer, usedUp });
    const cart = await withOwnDelivery(ctx, own, terms);
    throw new CartRefusal({ ...cart, updatedAt: now }, couponRefusal("COUPON_EXHAUSTED"));
  }
  const { tax } = ctx.business.settings;
  const price = cartPrice(priced, tax);
  const { expectedTotalMinor: expectedMinor } = request;
  const totalMinor = price.totalPriceMinor;
  if (expectedMinor !== undefined && expectedMinor !== totalMinor) {
    const cart = hasOwnDelivery(priced, input)
      ? priced
      : await withOwnDelivery(ctx, withDiscounts(ownCart, { products, offer: allowed, now }), {
          products,
          offer: allowed,
        });
    throw priceChanged(ctx, { ...cart, updatedAt: now }, { expectedMinor, totalMinor });
  }
  return { cart: priced, usedUp, price, tax, locationId };
}

/** Whether the order is delivered as the cart is. */
const hasOwnDelivery = ({ delivery }: Cart, { cart }: PricingInput): boolean =>
  delivery?.optionId === cart.delivery?.optionId &&
  canonicalJson(delivery?.address) === canonicalJson(cart.delivery?.address);

const toDeliveryInput = ({ cart, request, catalogue }: PricingInput, offer: OfferedDeals) => ({
  ...{ request, catalogue, offer },
  ownDelivery: cart.delivery,
});

/** @throws CartRefusal ITEM_UNAVAILABLE. A hold that is not released expires by itself. */
async function assertAvailable(
  ctx: CheckoutContext,
  { cart, couponCodes, catalogue }: PricingInput,
): Promise<void> {
  const { products, offer, at: now } = catalogue;
  const unavailable = unavailableLines(cart, { products, now, business: ctx.business });
  if (unavailable.length === 0) return;
  const lines = cart.lines.filter((line) => !unavailable.includes(line));
  if (hasRoundTripsLeft(ctx, 1)) await releaseHolds(ctx, cart, unavailable);
  const remaining = repriceLinesThatFit({ ...cart, lines, updatedAt: now }, products, now);
  const discounted = withRemovedCodes(withDiscounts(remaining, { products, offer, now }), {
    couponCodes,
  });
  throw linesUnavailable(
    await withOwnDelivery(ctx, discounted, catalogue),
    unavailable.map(({ snapshot }) => snapshot.name),
  );
}

/**
 * The cart after a refusal with its own delivery and the tax of its own place. When the order is for
 * another place, the offer and the stock of the cart's place take two round trips.
 */
async function withOwnDelivery(
  ctx: CheckoutContext,
  cart: Cart,
  { products, offer }: Pick<PricingReads, "products" | "offer">,
): Promise<Cart> {
  const delivered = hasRoundTripsLeft(ctx, 2)
    ? await withCurrentDelivery(ctx, cart, { products, offer })
    : cart;
  return withOwnTax(ctx, delivered);
}

/** The cart with a notice for each code that it does not have any more, also one without a deal. */
const withRemovedCodes = (
  cart: Cart,
  { couponCodes }: Pick<PricingInput, "couponCodes">,
): Cart => ({
  ...cart,
  notices: couponCodes
    .filter((code) => !findCoupon(cart, code))
    .map((code) => couponRemoved(code, removalReason(cart, code) ?? "COUPON_INVALID")),
});

/** The cart with the reason for removed coupons whose deals the customer has used up. */
const withExhaustedCoupons = (
  cart: Cart,
  { offer, usedUp }: Readonly<{ offer: OfferedDeals; usedUp: UsedUpDealIds }>,
): Cart => ({
  ...cart,
  notices: cart.notices.map((notice) =>
    notice.code === "COUPON_REMOVED" && usedUp.has(findCoupon(offer, notice.coupon)?.id ?? "")
      ? couponRemoved(notice.coupon, "COUPON_EXHAUSTED")
      : notice,
  ),
});

/** The part of a plan that follows from a priced order, without its lines. */
export const pricedPlan = (
  { cart, price, tax, usedUp, locationId }: PricedOrder,
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
  | "delivery"
  | "locationId"
> => ({
  totals: totalsOf(price),
  amounts: plannedAmounts(price),
  ...(tax && { tax }),
  discounts: cart.discounts,
  delivery: cart.delivery,
  locationId,
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
