import { stockNeeds } from "../../availability/index.ts";
import { defaultLocation } from "../../businesses/index.ts";
import {
  type Cart,
  type CartLine,
  cartLocationId,
  cartProductIds,
  cartTotals,
  couponCodeOf,
  discountableLines,
  locationBoundNeeds,
  refreshQuoteLocks,
  releaseHolds,
  repriceLines,
  unavailableLines,
  withDiscounts,
  withoutCoupon,
} from "../../cart/index.ts";
import type { BillingPlan } from "../../catalogue/index.ts";
import { loginOf } from "../../customers/index.ts";
import { type Prefetch, requiredPrefetch } from "../../database/index.ts";
import type { OfferedDeals } from "../../deals/index.ts";
import type { StoredFxQuote } from "../../fx/index.ts";
import { generateToken, notFound, ruleViolation } from "../../kernel/index.ts";
import {
  type CouponRejectionReason,
  type DiscountableLine,
  linesRejection,
  type ProductSet,
  requireBillingPlan,
} from "../../pricing/index.ts";
import { prefetchServices } from "../../scheduling/index.ts";
import { assertOrderable } from "../assert-orderable.ts";
import { prefetchCartOrders } from "../cart-orders-query.ts";
import type { CheckoutPlan, CheckoutRequest, PlacingReads, PlannedCheckout } from "../checkout.ts";
import type { CheckoutContext } from "../context.ts";
import { planFx, prefetchFxQuote } from "../convert-currency.ts";
import { assertReachable, prefetchOwnDetails, withOwnDetails } from "../own-details.ts";
import { bookedProductIds, planBookings } from "../plan-bookings.ts";
import { newReference } from "../planned-records.ts";
import { findReplacedOrders, withReturnedUses } from "../replaced-orders.ts";
import {
  customerKeyOf,
  isCouponExhausted,
  mustLoadUses,
  prefetchUsedUpDeals,
  type UsedUpDealIds,
  withoutDeals,
} from "../used-up-deals.ts";

/**
 * The planned checkout. When lines or the coupon cannot be bought, the cart without them instead.
 */
export type PlanningResult =
  | Readonly<{ type: "planned"; checkout: PlannedCheckout; reads: PlacingReads }>
  | Readonly<{ type: "lines_unavailable"; cart: Cart; names: readonly string[] }>
  | Readonly<{ type: "coupon_refused"; cart: Cart; reason: CouponRejectionReason }>;

type PlanningRequest = Readonly<{
  cart: Cart;
  sessionId: string;
  request: CheckoutRequest;
  /** The ids of the cart's earlier orders, which are cancelled when this order is placed. */
  replaces?: readonly string[];
  /** Whether the cart is known to have other orders. Then these are read too. */
  isOrderedFrom?: boolean;
}>;

/**
 * Decides everything before the first write: current prices, all ids and the bill token. Only holds
 * of removed lines are released. Makes at most one round trip.
 *
 * @throws Refusal VALIDATION_ERROR for a guest without a contact, UNAUTHORIZED for an ended login,
 * NOT_FOUND for a cart of another session, CART_EMPTY, PAYMENT_METHOD_UNAVAILABLE,
 * ITEM_UNAVAILABLE, PLAN_NOT_ELIGIBLE, CUSTOMER_REQUIRED, SLOT_UNAVAILABLE, and as `planFx` and
 * `findReplacedOrders`.
 */
export async function planCheckout(
  ctx: CheckoutContext,
  input: PlanningRequest,
): Promise<PlanningResult> {
  assertReachable(loginOf(ctx.actor), input.request);
  assertCartAndMethod(ctx, input);
  const reads = await loadPlanningReads(ctx, input);
  const { products, offer, now } = reads;
  const unavailable = unavailableLines(reads.cart, { products, now, business: ctx.business });
  if (unavailable.length > 0) return removeUnavailableLines(ctx, reads, unavailable);
  const current = withDiscounts(repriceLines(reads.cart, products, now), reads);
  const lines = discountableLines(current.lines, products);
  if (reads.cart.coupon !== null && current.coupon === null) {
    const reason = linesRejection(offer.coupon, { lines, now }) ?? "COUPON_INVALID";
    return { type: "coupon_refused", cart: { ...current, updatedAt: ctx.now() }, reason };
  }
  const locationId = cartLocationId(current) ?? defaultLocation(ctx.business).id;
  assertOrderable(ctx, current, { products, locationId, now });
  const applicable = { ...offer, coupon: current.coupon && offer.coupon };
  const usedUp = await loadUsedUpDeals(reads, applicable, lines);
  const priced = withDiscounts(current, { products, offer: withoutDeals(offer, usedUp), now });
  if (isCouponExhausted(priced.discounts, usedUp)) {
    const cart = { ...withoutCoupon(input.cart), updatedAt: now };
    return { type: "coupon_refused", cart, reason: "COUPON_EXHAUSTED" };
  }
  const plan = await createPlan(ctx, { cart: priced, input, reads, locationId, usedUp });
  const { request } = reads;
  const checkout = { state: "planned", request, plan, reference: newReference(ctx) } as const;
  return { type: "planned", checkout, reads };
}

function assertCartAndMethod(ctx: CheckoutContext, { cart, request }: PlanningRequest): void {
  if (request.cartId !== cart.id) throw notFound("cart");
  if (cart.lines.length === 0) throw ruleViolation("CART_EMPTY", "The cart is empty.");
  const method = request.paymentMethod;
  const isOffered = ctx.business.settings.paymentMethods.some((offered) => offered === method);
  if (!isOffered || ctx.providerFor(method) === null) {
    throw ruleViolation(
      "PAYMENT_METHOD_UNAVAILABLE",
      `This business does not take ${method}. Choose one of its payment_methods.`,
    );
  }
}

type PlanningReads = PlacingReads &
  Readonly<{
    services: NonNullable<PlacingReads["services"]>;
    /** The request with the customer's own contacts, when it names none. */
    request: CheckoutRequest;
    /** The cart with price locks that were refreshed from their quotes. */
    cart: Cart;
    products: ProductSet;
    offer: OfferedDeals;
    now: number;
    fxQuote: Prefetch<StoredFxQuote | null>;
    usedUpDeals: Prefetch<UsedUpDealIds>;
  }>;

/** Reads everything that planning needs and that is not cached, in one round trip. */
async function loadPlanningReads(
  ctx: CheckoutContext,
  { cart: storedCart, request, replaces = [], isOrderedFrom = false }: PlanningRequest,
): Promise<PlanningReads> {
  const ownDetails = prefetchOwnDetails(ctx, request);
  const fxQuote = prefetchFxQuote(ctx, request);
  const services = prefetchServices(ctx, bookedProductIds(storedCart));
  const usedUpDeals = prefetchUsedUpDeals(ctx, {
    customerKey: customerKeyOf({ login: loginOf(ctx.actor) }, request),
    couponCode: couponCodeOf(storedCart),
    releasedOrderIds: replaces,
  });
  const cartOrders = prefetchCartOrders(ctx, {
    orderIds: replaces,
    cartId: isOrderedFrom ? storedCart.id : null,
  });
  const { cart, loaded: products } = await refreshQuoteLocks(ctx, storedCart, (locks) =>
    ctx.findProducts(cartProductIds(storedCart), couponCodeOf(storedCart), [
      ...[ownDetails, fxQuote, services.prefetch, cartOrders, ...locks].map(requiredPrefetch),
      usedUpDeals,
    ]),
  );
  const completeRequest = withOwnDetails(request, await ownDetails.load());
  const { orders, turn } = await cartOrders.load();
  const replaced = await findReplacedOrders(ctx, orders);
  const offer = withReturnedUses(await ctx.findDeals(couponCodeOf(cart)), replaced);
  const now = ctx.now();
  return {
    ...{ cart, products, offer, now, fxQuote, services, usedUpDeals, replaced, turn },
    request: completeRequest,
  };
}

async function removeUnavailableLines(
  ctx: CheckoutContext,
  reads: PlanningReads,
  unavailable: readonly CartLine[],
): Promise<PlanningResult> {
  const { cart, products, now } = reads;
  const lines = cart.lines.filter((line) => !unavailable.includes(line));
  await releaseHolds(ctx, cart, unavailable);
  const remaining = repriceLines({ ...cart, lines, updatedAt: now }, products, now);
  return {
    type: "lines_unavailable",
    cart: withDiscounts(remaining, reads),
    names: unavailable.map(({ snapshot }) => snapshot.name),
  };
}

/**
 * The deals that the customer has used up. They are read only when that costs no round trip, or
 * when the order cannot be placed without them.
 */
async function loadUsedUpDeals(
  { usedUpDeals, now }: PlanningReads,
  offer: OfferedDeals,
  lines: readonly DiscountableLine[],
): Promise<UsedUpDealIds> {
  const prefetched = usedUpDeals.received();
  if (prefetched) return prefetched;
  return mustLoadUses({ lines, offer, now }) ? usedUpDeals.load() : new Set();
}

type PricedCheckout = Readonly<{
  cart: Cart;
  input: PlanningRequest;
  reads: PlanningReads;
  locationId: string;
  usedUp: UsedUpDealIds;
}>;

async function createPlan(
  ctx: CheckoutContext,
  { cart, input, reads, locationId, usedUp }: PricedCheckout,
): Promise<CheckoutPlan> {
  const { request, sessionId, replaces = [] } = input;
  const { products, services, fxQuote } = reads;
  const totals = cartTotals(cart, ctx.business.settings.tax);
  const fx = await planFx(ctx, request, { fxQuote, totalMinor: totals.totalPriceMinor });
  const orderId = ctx.newId("ord");
  const login = loginOf(ctx.actor);
  const lines = cart.lines.map((line) => ({
    ...line,
    orderLineId: ctx.newId("li"),
    billingPlan: billingPlanOf(line, products),
  }));
  const createdAt = ctx.now();
  const order = { orderId, login, lines, createdAt };
  return {
    ...order,
    bookings: await planBookings(ctx, cart, order, { products, services }),
    paymentId: ctx.newId("pt"),
    billToken: `bt_${generateToken(ctx.randomBytes)}`,
    sessionId,
    locationId,
    totals,
    discounts: cart.discounts,
    couponCode: couponCodeOf(cart),
    usedUpDealIds: [...usedUp],
    fx,
    stock: [...stockNeeds(cart.lines, products)],
    tiedStock: [...locationBoundNeeds(cart.lines, products)],
    replaces,
  };
}

/** The billing plan with its current terms. */
function billingPlanOf({ configuration }: CartLine, products: ProductSet): BillingPlan | null {
  const product = products.get(configuration.productId);
  return product ? requireBillingPlan(product, configuration.billingPlanId) : null;
}
