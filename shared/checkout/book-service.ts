import { createBookingCart, type SlotRequest } from "../cart/index.ts";
import { notFound, ruleViolation } from "../kernel/index.ts";
import { maxUnpaidOrderTtlMs, type OrderDetails, orderRepo } from "../orders/index.ts";
import { payableMethods } from "../payments/index.ts";
import { findBookableService, withoutBookingLimits } from "../scheduling/index.ts";
import type { CheckoutRequest, PlannedCheckout, SentCheckoutRequest } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { requireNewProvider } from "./planned-records.ts";
import { withFullBudget } from "./round-trip-budget.ts";
import { placeOrder } from "./steps/place-order.ts";
import { planCheckout } from "./steps/plan-checkout.ts";

/** What the business books for a customer. */
export type BookingRequest = Readonly<{
  /** The service's id, or its product's. */
  serviceId: string;
  variantId: string | null;
  locationId: string | null;
  addOnOptionIds: readonly string[];
  participants: number;
  slot: SlotRequest & Readonly<{ start: number }>;
  customer: Omit<CheckoutRequest["customer"], "savesDetails">;
  /** `cash` is paid at the business; a `link` is paid before, or the booking lapses. */
  payment: "cash" | "link";
  /** The public origin of the request. */
  origin: string;
}>;

/** The order of a booking, and until when its payment link works; null when it needs none. */
type PlacedBooking = Readonly<{ details: OrderDetails; linkExpiresAt: number | null }>;

/**
 * Books a service for a customer: the order of one line that a checkout of it would place, in the
 * same batch. The business may ignore notice, booking window and unpaid limits. To be paid there, or
 * free, the booking is agreed at once; to be paid by link, it is kept for a day.
 *
 * @throws Refusal NOT_FOUND for an unknown service, PAYMENT_METHOD_UNAVAILABLE without a way to pay
 * by link, and as `createBookingCart`, `planCheckout` and `placeOrder`.
 */
export async function bookService(
  ctx: CheckoutContext,
  request: BookingRequest,
): Promise<PlacedBooking> {
  const { db, business } = ctx;
  const { data: bookable } = await findBookableService({ db, business }, request.serviceId);
  if (bookable === null) throw notFound("service");
  const { variantId, locationId, addOnOptionIds, participants, slot } = request;
  const cart = await createBookingCart(ctx, withoutBookingLimits(bookable), {
    configuration: { ...plainLine, variantId, locationId, addOnOptionIds },
    quantity: participants,
    slot,
  });
  const checkoutCtx = withFullBudget(ctx);
  const sessionId = ctx.actor.type === "merchant" ? ctx.actor.id : ""; // it belongs to no shopper
  const { checkout: planned, reads } = await planCheckout(checkoutCtx, {
    cart,
    sessionId,
    request: toCheckoutRequest(request, cart.id),
  });
  const checkout = asBusinessOrder(ctx, planned, request.payment);
  const { orderId, byBusiness } = checkout.plan;
  await placeOrder(checkoutCtx, {
    ...{ checkout, reads, order: null },
    ...{ isNewOrder: false, mustVerify: false },
  });
  const details = await orderRepo(ctx).get(orderId); // with the number and the staff of the batch
  return { details, linkExpiresAt: byBusiness?.expiresAt ?? null };
}

const plainLine = {
  bundleSelections: [],
  compositeSelections: [],
  billingPlanId: null,
  specialInstructions: null,
};

const toCheckoutRequest = (
  { customer, origin }: BookingRequest,
  cartId: string,
): SentCheckoutRequest => ({
  cartId,
  customer: { ...customer, savesDetails: false },
  orderType: "walk-in",
  deliveryOptionId: null,
  addressInfo: null,
  paymentMethod: "cash",
  mobileMoney: null,
  returnUrls: { success: null, cancel: null },
  origin,
  payCurrency: null,
  fxQuoteId: null,
  specialInstructions: null,
  metadata: {},
});

/** The planned checkout with the payment of the business, and with how its order begins. */
function asBusinessOrder(
  ctx: CheckoutContext,
  checkout: PlannedCheckout,
  payment: BookingRequest["payment"],
): PlannedCheckout {
  const { plan, request } = checkout;
  if (payment === "cash" || plan.totals.totalPriceMinor === 0) {
    const bookings = plan.bookings.map(({ booking, ...slot }) => ({
      ...slot,
      booking: { ...booking, status: "confirmed" as const },
    }));
    const byBusiness = { status: "confirmed", expiresAt: null } as const;
    return { ...checkout, plan: { ...plan, bookings, byBusiness } };
  }
  const { business, providers } = ctx;
  const paymentMethod = payableMethods(business, providers, business.currency).find(
    (method) => method !== "cash",
  );
  if (paymentMethod === undefined) throw linkUnavailable();
  const expiresAt = plan.createdAt + maxUnpaidOrderTtlMs;
  const unpaid = {
    ...checkout,
    request: { ...request, paymentMethod },
    plan: { ...plan, byBusiness: { status: "pending", expiresAt } as const },
  };
  return { ...unpaid, provider: requireNewProvider(ctx, unpaid).name };
}

const linkUnavailable = () =>
  ruleViolation(
    "PAYMENT_METHOD_UNAVAILABLE",
    "This business takes no payments online. Book with payment cash, or switch a method on.",
  );
