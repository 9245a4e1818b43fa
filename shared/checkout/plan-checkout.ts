import { stockNeeds } from "../availability/index.ts";
import { defaultLocation } from "../businesses/index.ts";
import {
  type Cart,
  type CartLine,
  codeOf,
  coveredLines,
  findRelocked,
  locationOf,
  productIds,
  releaseHolds,
  repriced,
  tiedNeeds,
  totalsOf,
  unavailableLines,
  withDeals,
  withoutCoupon,
} from "../cart/index.ts";
import { type BillingPlan, needed } from "../catalogue/index.ts";
import { loginOf } from "../customers/index.ts";
import type { Offer } from "../deals/index.ts";
import { newToken, notFound, ruleBroken } from "../kernel/index.ts";
import {
  type CouponReason,
  type CoveredLine,
  chosenPlan,
  linesReason,
  type ProductSet,
} from "../pricing/index.ts";
import { soughtServices } from "../scheduling/index.ts";
import type { Checkout, CheckoutRequest, Plan, Read } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { demandOrderable } from "./demand-orderable.ts";
import { plannedFx, type SoughtQuote, soughtQuote } from "./pay-currency.ts";
import { bookedProductIds, plannedBookings } from "./planned-bookings.ts";
import { findReplaced, withReturnedUses } from "./replaced-orders.ts";
import { soughtOrders } from "./standing-repo.ts";
import {
  customerKeyOf,
  isExhausted,
  mustKnowUses,
  type SoughtUses,
  soughtUses,
  type UsedUp,
  withoutDeals,
} from "./used-up-deals.ts";

/** The plan, or the cart without the lines that cannot be bought, or the coupon that does not apply, any more. */
export type Planned =
  | Readonly<{ type: "planned"; checkout: Checkout; read: Read }>
  | Readonly<{ type: "lines_gone"; cart: Cart; names: readonly string[] }>
  | Readonly<{ type: "coupon_gone"; cart: Cart; reason: CouponReason }>;

type Asked = Readonly<{
  cart: Cart;
  sessionId: string;
  request: CheckoutRequest;
  /** The orders of earlier checkouts of the cart, whose place it takes: they end as it is placed. */
  replaces?: readonly string[];
  /** Whether others are known to have been ordered from the cart: what became of them is read as well. */
  isOrderedFrom?: boolean;
}>;

/**
 * Decides the whole sale before its first effect: prices of now, every id, the token. Nothing
 * outside has changed when it returns, but for the holds of lines that have gone. The order is of the
 * location that lines name, else of the default. At most one round trip, which takes everything along.
 *
 * @throws Refusal NOT_FOUND for a cart that is not this session's, CART_EMPTY,
 * PAYMENT_METHOD_UNAVAILABLE, ITEM_UNAVAILABLE for products outside their schedules,
 * PLAN_NOT_ELIGIBLE, CUSTOMER_REQUIRED, SLOT_UNAVAILABLE for times that cannot be booked any more,
 * what `plannedFx` refuses, and as `findReplaced`.
 */
export async function planCheckout(ctx: CheckoutContext, asked: Asked): Promise<Planned> {
  demandCart(ctx, asked);
  const read = await readForPlan(ctx, asked);
  const { products, offer, now } = read;
  const gone = unavailableLines(read.cart, { products, now, business: ctx.business });
  if (gone.length > 0) return withoutGone(ctx, read, gone);
  const current = withDeals(repriced(read.cart, products, now), read);
  const lines = coveredLines(current.lines, products);
  if (read.cart.coupon !== null && current.coupon === null) {
    const reason = linesReason(offer.coupon, { lines, now }) ?? "COUPON_INVALID";
    return { type: "coupon_gone", cart: { ...current, updatedAt: ctx.now() }, reason };
  }
  const locationId = locationOf(current) ?? defaultLocation(ctx.business).id;
  demandOrderable(ctx, current, { products, locationId, now });
  const usedUp = await usedUpOf(read, { ...offer, coupon: current.coupon && offer.coupon }, lines);
  const sold = withDeals(current, { products, offer: withoutDeals(offer, usedUp), now });
  if (isExhausted(sold.discounts, usedUp)) {
    const cart = { ...withoutCoupon(asked.cart), updatedAt: now };
    return { type: "coupon_gone", cart, reason: "COUPON_EXHAUSTED" };
  }
  const plan = await planOf(ctx, { cart: sold, asked, read, locationId, usedUp });
  return { type: "planned", checkout: unplaced(ctx, asked.request, plan), read };
}

function demandCart(ctx: CheckoutContext, { cart, request }: Asked): void {
  if (request.cartId !== cart.id) throw notFound("cart");
  if (cart.lines.length === 0) throw ruleBroken("CART_EMPTY", "The cart is empty.");
  demandMethod(ctx, request.paymentMethod);
}

type Found = Read &
  Readonly<{
    /** With the locks of now. */
    cart: Cart;
    products: ProductSet;
    offer: Offer;
    now: number;
    quote: SoughtQuote;
    uses: SoughtUses;
  }>;

/**
 * All that a plan is made of. What the isolate does not remember, and what it never does, is one round
 * trip, in which the customer's uses of deals come along.
 */
async function readForPlan(
  ctx: CheckoutContext,
  { cart: asked, request, replaces = [], isOrderedFrom = false }: Asked,
): Promise<Found> {
  const quote = soughtQuote(ctx, request);
  const services = soughtServices(ctx, bookedProductIds(asked));
  const uses = soughtUses(ctx, {
    customerKey: customerKeyOf({ login: loginOf(ctx.actor) }, request),
    couponCode: codeOf(asked),
    givenBack: replaces,
  });
  const sought = soughtOrders(ctx, {
    orderIds: replaces,
    cartId: isOrderedFrom ? asked.id : null,
  });
  const { cart, found: products } = await findRelocked(ctx, asked, (locks) =>
    ctx.findProducts(productIds(asked), codeOf(asked), [
      ...[...quote.companions, ...services.companions, ...sought.companions, ...locks].map(needed),
      ...uses.companions,
    ]),
  );
  const { orders, turn } = await sought.find();
  const replaced = await findReplaced(ctx, orders);
  const offer = withReturnedUses(await ctx.findDeals(codeOf(cart)), replaced);
  return { cart, products, offer, now: ctx.now(), quote, services, uses, replaced, turn };
}

async function withoutGone(
  ctx: CheckoutContext,
  read: Found,
  gone: readonly CartLine[],
): Promise<Planned> {
  const { cart, products, now } = read;
  const lines = cart.lines.filter((line) => !gone.includes(line));
  await releaseHolds(ctx, cart, gone);
  const remaining = repriced({ ...cart, lines, updatedAt: now }, products, now);
  return {
    type: "lines_gone",
    cart: withDeals(remaining, read),
    names: gone.map(({ snapshot }) => snapshot.name),
  };
}

/** What the customer cannot have any more, as far as it is known or must be. */
async function usedUpOf(
  { uses, now }: Found,
  offer: Offer,
  lines: readonly CoveredLine[],
): Promise<UsedUp> {
  const known = uses.known();
  if (known) return known;
  return mustKnowUses({ lines, offer, now }) ? uses.find() : new Set();
}

type Sold = Readonly<{ cart: Cart; asked: Asked; read: Found; locationId: string; usedUp: UsedUp }>;

async function planOf(
  ctx: CheckoutContext,
  { cart, asked: { request, sessionId, replaces = [] }, read, locationId, usedUp }: Sold,
): Promise<Plan> {
  const { products, services, quote: sought } = read;
  const totals = totalsOf(cart, ctx.business.settings.tax);
  const fx = await plannedFx(ctx, request, { sought, totalMinor: totals.totalPriceMinor });
  const orderId = ctx.newId("ord");
  const login = loginOf(ctx.actor);
  const lines = cart.lines.map((line) => ({
    ...line,
    orderLineId: ctx.newId("li"),
    billingPlan: billingPlanOf(line, products),
  }));
  const createdAt = ctx.now();
  const ordered = { orderId, login, lines, createdAt };
  return {
    ...ordered,
    bookings: await plannedBookings(ctx, cart, ordered, { products, services }),
    paymentId: ctx.newId("pt"),
    billToken: `bt_${newToken(ctx.random)}`,
    sessionId,
    locationId,
    totals,
    discounts: cart.discounts,
    couponCode: codeOf(cart),
    usedUp: [...usedUp],
    fx,
    stock: [...stockNeeds(cart.lines, products)],
    tiedStock: [...tiedNeeds(cart.lines, products)],
    replaces,
  };
}

const unplaced = (ctx: CheckoutContext, request: CheckoutRequest, plan: Plan): Checkout => ({
  request,
  plan,
  orderNumber: null,
  reference: newReference(ctx),
  wasAsked: false,
  mustVerify: false,
  charge: null,
  isRecorded: false,
});

/** The plan that a line is paid by again and again, as it stands at this moment. */
function billingPlanOf({ configuration }: CartLine, products: ProductSet): BillingPlan | null {
  const product = products.get(configuration.productId);
  return product ? chosenPlan(product, configuration.billingPlanId) : null;
}

/** A reference is the provider's name for one charge; a declined charge is never tried under its own again. */
export const newReference = ({ random }: Pick<CheckoutContext, "random">): string =>
  `ref_${newToken(random)}`;

function demandMethod(ctx: CheckoutContext, method: string): void {
  const isOffered = ctx.business.settings.paymentMethods.some((offered) => offered === method);
  if (!isOffered || ctx.providerFor(method) === null) {
    throw ruleBroken("PAYMENT_METHOD_UNAVAILABLE", `This business does not take ${method}.`);
  }
}
