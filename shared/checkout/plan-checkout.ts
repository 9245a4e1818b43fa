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
} from "../cart/index.ts";
import type { BillingPlan } from "../catalogue/index.ts";
import { loginOf } from "../customers/index.ts";
import { newToken, notFound, ruleBroken } from "../kernel/index.ts";
import { type CouponReason, chosenPlan, linesReason, type ProductSet } from "../pricing/index.ts";
import { soughtServices } from "../scheduling/index.ts";
import type { Checkout, CheckoutRequest } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { demandOrderable } from "./demand-orderable.ts";
import { plannedFx, soughtQuote } from "./pay-currency.ts";
import { bookedProductIds, plannedBookings } from "./planned-bookings.ts";

/** The plan, or the cart without the lines that cannot be bought, or the coupon that does not apply, any more. */
export type Planned =
  | Readonly<{ type: "planned"; checkout: Checkout }>
  | Readonly<{ type: "lines_gone"; cart: Cart; names: readonly string[] }>
  | Readonly<{ type: "coupon_gone"; cart: Cart; reason: CouponReason }>;

/**
 * Decides the whole sale before its first effect: prices of now, every id, the token. Nothing
 * outside has changed when it returns, but for the holds of lines that have gone. The order is of the location that lines name, else of the default.
 *
 * @throws Refusal NOT_FOUND for a cart that is not this session's, CART_EMPTY,
 * PAYMENT_METHOD_UNAVAILABLE, ITEM_UNAVAILABLE for products outside their schedules,
 * PLAN_NOT_ELIGIBLE, CUSTOMER_REQUIRED, SLOT_UNAVAILABLE for times that cannot be booked any more, and
 * what `plannedFx` refuses.
 */
export async function planCheckout(
  ctx: CheckoutContext,
  { cart: asked, sessionId, request }: { cart: Cart; sessionId: string; request: CheckoutRequest },
): Promise<Planned> {
  if (request.cartId !== asked.id) throw notFound("cart");
  if (asked.lines.length === 0) throw ruleBroken("CART_EMPTY", "The cart is empty.");
  demandMethod(ctx, request.paymentMethod);
  const sought = soughtQuote(ctx, request);
  const services = soughtServices(ctx, bookedProductIds(asked));
  const { cart, found: products } = await findRelocked(ctx, asked, (locks) =>
    ctx.findProducts(productIds(asked), codeOf(asked), [
      ...sought.companions,
      ...services.companions,
      ...locks,
    ]),
  );
  const offer = await ctx.findDeals(codeOf(cart));
  const terms = { products, offer, now: ctx.now() };
  const gone = unavailableLines(cart, { ...terms, business: ctx.business });
  if (gone.length > 0) {
    const lines = cart.lines.filter((line) => !gone.includes(line));
    await releaseHolds(ctx, cart, gone);
    const remaining = repriced({ ...cart, lines, updatedAt: terms.now }, products, terms.now);
    return {
      type: "lines_gone",
      cart: withDeals(remaining, terms),
      names: gone.map(({ snapshot }) => snapshot.name),
    };
  }
  const current = withDeals(repriced(cart, products, terms.now), terms);
  if (cart.coupon !== null && current.coupon === null) {
    const lines = coveredLines(current.lines, products);
    const reason = linesReason(offer.coupon, { lines, now: terms.now }) ?? "COUPON_INVALID";
    return { type: "coupon_gone", cart: { ...current, updatedAt: ctx.now() }, reason };
  }
  const locationId = locationOf(current) ?? defaultLocation(ctx.business).id;
  demandOrderable(ctx, current, { ...terms, locationId });
  const totals = totalsOf(current, ctx.business.settings.tax);
  const { totalPriceMinor: totalMinor } = totals;
  const fx = await plannedFx(ctx, request, { sought, totalMinor });
  const orderId = ctx.newId("ord");
  const login = loginOf(ctx.actor);
  const lines = current.lines.map((line) => ({
    ...line,
    orderLineId: ctx.newId("li"),
    billingPlan: planOf(line, products),
  }));
  const createdAt = ctx.now();
  const ordered = { orderId, login, lines, createdAt };
  const bookings = await plannedBookings(ctx, current, ordered, { products, services });
  const plan = {
    ...ordered,
    paymentId: ctx.newId("pt"),
    billToken: `bt_${newToken(ctx.random)}`,
    sessionId,
    locationId,
    totals,
    discounts: current.discounts,
    fx,
    stock: [...stockNeeds(current.lines, products)],
    tiedStock: [...tiedNeeds(current.lines, products)],
    bookings,
  };
  return {
    type: "planned",
    checkout: {
      request,
      plan,
      orderNumber: null,
      reference: newReference(ctx),
      wasAsked: false,
      mustVerify: false,
      charge: null,
      isRecorded: false,
    },
  };
}

/** The plan that a line is paid by again and again, as it stands at this moment. */
function planOf({ configuration }: CartLine, products: ProductSet): BillingPlan | null {
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
