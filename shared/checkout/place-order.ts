import { outOfStock } from "../cart/index.ts";
import { endedLogin, loginEnded, loginRepo } from "../customers/index.ts";
import { type Change, commit, messageOf } from "../database/index.ts";
import { isUsedUp, redemptionRepo } from "../deals/index.ts";
import { fxQuoteRepo, quoteUsed } from "../fx/index.ts";
import { planReservation, type Reservation, stockRepo } from "../inventory/index.ts";
import { sha256 } from "../kernel/index.ts";
import { drawnNumber, orderCreated, orderRepo } from "../orders/index.ts";
import { paymentRepo } from "../payments/index.ts";
import { bookingEvent, bookingRepo } from "../scheduling/index.ts";
import { type Checkout, needsOf, type Plan } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { refitted } from "./pay-currency.ts";
import { placesTaken } from "./places-taken.ts";
import { orderOf, paymentOf } from "./planned-records.ts";
import { customerKeyOf, withoutUsedUpDeals } from "./used-up-deals.ts";

/**
 * Places the order: its rows, its payment's, the reserved stock, the bookings of its lines, the claim
 * on its FX quote and the events, in one batch. Repeated, it meets its own order id and reads back what it placed.
 *
 * @throws Refusal OUT_OF_STOCK, SLOT_UNAVAILABLE, COUPON_EXHAUSTED, FX_QUOTE_USED, FX_QUOTE_MISMATCH, or UNAUTHORIZED
 * when the customer's login has ended; and then nothing is there.
 */
export async function placeOrder(ctx: CheckoutContext, checkout: Checkout): Promise<Checkout> {
  const { plan } = checkout;
  const atHome = plan.stock.map(([itemId, quantity]) => ({
    itemId,
    locationId: plan.locationId,
    quantity,
  }));
  const ordered =
    (await placed(ctx, checkout, atHome)) ??
    (await placed(ctx, checkout, await reservationAnywhere(ctx, plan))) ??
    (await placed(ctx, checkout, await reservationAnywhere(ctx, plan)));
  if (ordered === null) throw outOfStock("An item", 0);
  return ordered;
}

/**
 * The checkout with its order's number, or null when the stock was not there and nothing was done.
 * An automatic deal that was used up meanwhile is left out of it.
 */
async function placed(
  ctx: CheckoutContext,
  checkout: Checkout,
  stock: readonly Reservation[],
): Promise<Checkout | null> {
  try {
    const results = await commit(ctx, await placement(ctx, checkout, stock));
    return { ...checkout, orderNumber: drawnNumber(results) };
  } catch (error) {
    const text = messageOf(error);
    if (/FOREIGN KEY constraint failed|stock_not_oversold/.test(text)) return null;
    if (isUsedUp(text)) return placed(ctx, await withoutUsedUpDeals(ctx, checkout), stock);
    if (!text.includes("orders.id")) throw (await placesTaken(ctx, checkout.plan, text)) ?? error;
    return placedEarlier(ctx, checkout);
  }
}

/** The order stands since an earlier run, which may have left a deal out: its totals count. */
async function placedEarlier(ctx: CheckoutContext, checkout: Checkout): Promise<Checkout> {
  const { order } = await orderRepo(ctx).get(checkout.plan.orderId);
  const { subtotalMinor, discountTotalMinor, taxTotalMinor, totalPriceMinor } = order;
  const totals = { subtotalMinor, discountTotalMinor, taxTotalMinor, totalPriceMinor };
  return {
    ...checkout,
    plan: {
      ...checkout.plan,
      totals,
      discounts: order.discounts,
      fx: refitted(checkout.plan.fx, totalPriceMinor),
    },
    orderNumber: order.orderNumber,
    wasAsked: true,
  };
}

async function placement(
  ctx: CheckoutContext,
  checkout: Checkout,
  stock: readonly Reservation[],
): Promise<Change> {
  const { orderId, billToken, sessionId, login, discounts, fx, bookings = [] } = checkout.plan;
  const booked = bookingRepo(ctx);
  const orders = orderRepo(ctx);
  const order = orderOf(ctx, checkout);
  const number = orders.numberOf(orderId);
  const payment = paymentOf(ctx, checkout);
  return {
    writes: [
      ...orders.insert(order, {
        billTokenHash: await sha256(billToken),
        sessionId,
        numberPrefix: ctx.business.settings.orderNumberPrefix,
      }),
      number,
      ...(login ? [loginRepo(ctx).demand(login)] : []),
      paymentRepo(ctx).insert(payment),
      paymentRepo(ctx).keepReference(payment),
      ...(fx ? [fxQuoteRepo(ctx).claim(fx.quote, orderId)] : []),
      ...stockRepo(ctx).reserve(orderId, stock),
      ...booked.insert(bookings, ctx.now()),
      ...redemptionRepo(ctx).redeem({ orderId, discounts, customerKey: customerKeyOf(checkout) }),
    ],
    events: [
      orderCreated(order, number),
      ...bookings.map(({ booking }) => ({
        ...bookingEvent("booking.created", booking),
        computed: { staff_id: booked.giverOf(booking.id) },
      })),
    ],
    refusals: { fx_quotes_used_once: quoteUsed, [endedLogin]: loginEnded },
  };
}

/**
 * Where else the pieces are, when the order's own location lacks them.
 *
 * @throws Refusal OUT_OF_STOCK naming the line, when all locations together have too few, or the
 * plan's own for the lines that name it.
 */
async function reservationAnywhere(
  ctx: CheckoutContext,
  plan: Plan,
): Promise<readonly Reservation[]> {
  const needs = needsOf(plan);
  const levels = await stockRepo(ctx).findLevels([...needs.keys()]);
  const planned = planReservation(levels, needs, plan.locationId, new Map(plan.tiedStock));
  if (planned.type === "planned") return planned.reservations;
  const line = plan.lines.find(
    ({ configuration, snapshot }) =>
      configuration.productId === planned.itemId || snapshot.variantId === planned.itemId,
  );
  throw outOfStock(line?.snapshot.name ?? "A part of the order", planned.quantityAvailable);
}
