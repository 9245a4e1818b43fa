import { lineFulfilment } from "../../availability/index.ts";
import { defaultLocation } from "../../businesses/index.ts";
import {
  type Cart,
  cartProductIds,
  couponCodesOf,
  isLimitedToGroups,
  offerForCustomerGroups,
  refreshQuoteLocks,
} from "../../cart/index.ts";
import { loginOf } from "../../customers/index.ts";
import { type Prefetch, requiredPrefetch } from "../../database/index.ts";
import type { OfferedDeals } from "../../deals/index.ts";
import type { StoredFxQuote } from "../../fx/index.ts";
import { generateToken, notFound, ruleViolation } from "../../kernel/index.ts";
import { assertMethodPayable } from "../../payments/index.ts";
import type { PricedLine } from "../../pricing/index.ts";
import { prefetchServices } from "../../scheduling/index.ts";
import { prefetchCartOrders } from "../cart-orders-query.ts";
import type {
  CheckoutPlan,
  CheckoutRequest,
  PlacingReads,
  PlannedCheckout,
  PricingReads,
  SentCheckoutRequest,
} from "../checkout.ts";
import type { CartCatalogue, CheckoutContext } from "../context.ts";
import { planFx, prefetchFxQuote } from "../convert-currency.ts";
import { assertOptionKnown } from "../order-delivery.ts";
import {
  prefetchCurrentTerms,
  prefetchOrderTerms,
  withCartDelivery,
  withReplaced,
} from "../order-terms.ts";
import { assertReachable, prefetchOwnDetails, withOwnDetails } from "../own-details.ts";
import { bookedProductIds, planBookings } from "../plan-bookings.ts";
import { newReference, requireNewProvider } from "../planned-records.ts";
import { billingPlanOf, type PricedOrder, pricedPlan, priceOrder } from "../price-order.ts";
import { findReplacedOrders, withReturnedUses } from "../replaced-orders.ts";
import {
  type DealRights,
  dealUserOf,
  mustLoadUses,
  prefetchDealRights,
  type UsedUpDealIds,
} from "../used-up-deals.ts";

/** A planned checkout, and what was read for it. */
type PlanningResult = Readonly<{ checkout: PlannedCheckout; reads: PlacingReads }>;

type PlanningRequest = Readonly<{
  cart: Cart;
  sessionId: string;
  request: SentCheckoutRequest;
  /** The ids of the cart's earlier orders, which are cancelled when this order is placed. */
  replaces?: readonly string[];
  /** Whether the cart is known to have other orders. Then these are read too. */
  isOrderedFrom?: boolean;
}>;

/**
 * Decides everything before the first write: current prices, all ids and the bill token. Only holds
 * of removed lines are released. Makes at most one round trip. The business itself may leave out
 * the contact, and chooses how the order is paid.
 *
 * @throws CartRefusal as `priceOrder`; Refusal VALIDATION_ERROR for a guest without a contact,
 * UNAUTHORIZED for an ended login, NOT_FOUND for a cart of another session, CART_EMPTY,
 * PAYMENT_METHOD_UNAVAILABLE, ITEM_UNAVAILABLE, PLAN_NOT_ELIGIBLE, CUSTOMER_REQUIRED,
 * SLOT_UNAVAILABLE, NOT_FOUND for an unknown delivery option, and as `planFx` and `findReplacedOrders`.
 */
export async function planCheckout(
  ctx: CheckoutContext,
  input: PlanningRequest,
): Promise<PlanningResult> {
  if (ctx.actor.type !== "merchant") assertReachable(loginOf(ctx.actor), input.request);
  assertCartAndMethod(ctx, input);
  const reads = await loadPlanningReads(ctx, input);
  const { cart, catalogue, request } = reads;
  await assertOptionKnown(ctx, input.request.deliveryOptionId ?? null, catalogue);
  const priced = await priceOrder(withReplaced(ctx, { replaces: input.replaces ?? [] }), {
    cart,
    couponCodes: couponCodesOf(cart),
    request,
    catalogue,
    locationId: defaultLocation(ctx.business).id,
    findUsedUp: (offer, order) => loadUsedUpDeals(reads, offer, order),
  });
  const plan = await createPlan(ctx, { priced, input, reads });
  const { name: provider } = requireNewProvider(ctx, { request, plan });
  const reference = newReference(ctx);
  const checkout = { state: "planned", request, plan, reference, provider } as const;
  return { checkout, reads };
}

function assertCartAndMethod(ctx: CheckoutContext, { cart, request }: PlanningRequest): void {
  if (request.cartId !== cart.id) throw notFound("cart");
  if (cart.lines.length === 0) throw ruleViolation("CART_EMPTY", "The cart is empty.");
  const { paymentMethod, payCurrency } = request;
  if (ctx.actor.type === "merchant") return; // it collects cash also where shoppers cannot choose it
  assertMethodPayable(ctx, paymentMethod, payCurrency ?? ctx.business.currency);
}

type PlanningReads = PlacingReads &
  Readonly<{
    services: NonNullable<PlacingReads["services"]>;
    /** The request with the customer's own contacts, when it names none. */
    request: CheckoutRequest;
    /** The cart with price locks that were refreshed from their quotes. */
    cart: Cart;
    fxQuote: Prefetch<StoredFxQuote | null>;
    dealRights: Prefetch<DealRights>;
  }>;

/** Reads everything that planning needs and that is not cached, in one round trip. */
async function loadPlanningReads(
  ctx: CheckoutContext,
  { cart: storedCart, request: sent, replaces = [], isOrderedFrom = false }: PlanningRequest,
): Promise<PlanningReads> {
  const request = withCartDelivery(ctx.business, storedCart, sent);
  const ownDetails = prefetchOwnDetails(ctx, request);
  const fxQuote = prefetchFxQuote(ctx, request);
  const services = prefetchServices(ctx, bookedProductIds(storedCart));
  const dealRights = prefetchDealRights(ctx, {
    user: dealUserOf({ login: loginOf(ctx.actor) }, request),
    couponCodes: couponCodesOf(storedCart),
    releasedOrderIds: replaces,
  });
  const cartOrders = prefetchCartOrders(ctx, {
    orderIds: replaces,
    cartId: isOrderedFrom ? storedCart.id : null,
  });
  const { cart, loaded } = await refreshQuoteLocks(ctx, storedCart, (locks) =>
    loadCatalogue(ctx, { cart: storedCart, request, replaces }, [
      ...[ownDetails, fxQuote, services.prefetch, cartOrders].map(requiredPrefetch),
      dealRights,
      ...locks,
    ]),
  );
  const completeRequest = withOwnDetails(request, await ownDetails.load());
  const { orders, turn } = await cartOrders.load();
  const replaced = await findReplacedOrders(ctx, orders);
  const { products, tax, delivery } = loaded;
  const isLimited = isLimitedToGroups(loaded.offer);
  const allowed = isLimited
    ? offerForCustomerGroups(loaded.offer, (await dealRights.load()).groupIds)
    : loaded.offer;
  const offer = withReturnedUses(allowed, replaced);
  const catalogue = { products, offer, tax, delivery, at: ctx.now() };
  return {
    ...{ cart, catalogue, fxQuote, services, dealRights, replaced, turn },
    request: completeRequest,
  };
}

/** An expected total is compared with prices from the database, which the cache may not have yet. */
async function loadCatalogue(
  ctx: CheckoutContext,
  order: Parameters<typeof prefetchOrderTerms>[1],
  prefetches: readonly Prefetch[],
): Promise<CartCatalogue & Pick<PricingReads, "tax" | "delivery">> {
  const { cart, request } = order;
  const [ids, couponCodes] = [cartProductIds(cart), couponCodesOf(cart)];
  if (request.expectedTotalMinor !== undefined) {
    const customerId = loginOf(ctx.actor)?.customerId ?? null;
    const terms = prefetchCurrentTerms(ctx, { ...order, customerId });
    const read = await ctx.readCatalogue(ids, couponCodes, [...prefetches, ...terms.prefetches]);
    return { ...read, ...(await terms.load()) };
  }
  const terms = prefetchOrderTerms(ctx, order);
  const products = await ctx.findProducts(ids, couponCodes, [...prefetches, ...terms.prefetches]);
  const offer = await ctx.findDeals(couponCodes);
  return { products, offer, ...(await terms.load()) };
}

/**
 * The deals that the customer has used up. They are read only when that costs no round trip, or
 * when the order cannot be placed without them.
 */
async function loadUsedUpDeals(
  { dealRights, catalogue: { at: now } }: PlanningReads,
  offer: OfferedDeals,
  order: Readonly<{ lines: readonly PricedLine[] }> & Pick<Cart, "delivery">,
): Promise<UsedUpDealIds> {
  const prefetched = dealRights.received();
  if (prefetched) return prefetched.usedUp;
  return mustLoadUses({ ...order, offer, now }) ? (await dealRights.load()).usedUp : new Set();
}

type PlanInput = Readonly<{
  priced: PricedOrder;
  input: PlanningRequest;
  reads: PlanningReads;
}>;

async function createPlan(
  ctx: CheckoutContext,
  { priced, input, reads }: PlanInput,
): Promise<CheckoutPlan> {
  const { sessionId, replaces = [] } = input;
  const { request, services, fxQuote } = reads;
  const { products } = reads.catalogue;
  const { cart, price } = priced;
  const fx = await planFx(ctx, request, { fxQuote, totalMinor: price.totalPriceMinor });
  const orderId = ctx.newId("ord");
  const login = loginOf(ctx.actor);
  const lines = cart.lines.map((line) => ({
    ...line,
    orderLineId: ctx.newId("li"),
    billingPlan: billingPlanOf(line, products),
    fulfilment: lineFulfilment(line, products),
  }));
  const createdAt = ctx.now();
  const order = { orderId, login, lines, createdAt };
  return {
    ...order,
    ...pricedPlan(priced, products),
    bookings: await planBookings(ctx, cart, order, { products, services }),
    paymentId: ctx.newId("pt"),
    billToken: newBillToken(ctx),
    sessionId,
    addressDigest: await ctx.digestCallerAddress(),
    fx,
    replaces,
  };
}

/** 160 random bits behind the business's id, by which the order's page finds the shop. */
const newBillToken = ({ business, randomBytes }: CheckoutContext): string =>
  `bt_${business.id.slice("biz_".length)}${generateToken(randomBytes)}`;
