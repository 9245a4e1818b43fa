import { customerRepo, endedLogin, loginEnded, loginRepo } from "../customers/index.ts";
import type { Change, Write } from "../database/index.ts";
import { redemptionRepo } from "../deals/index.ts";
import { fxQuoteRepo, quoteUsed } from "../fx/index.ts";
import { stockRepo, type WantedPieces } from "../inventory/index.ts";
import { sha256 } from "../kernel/index.ts";
import { orderCreated, orderRepo } from "../orders/index.ts";
import { paymentRepo } from "../payments/index.ts";
import { bookingEvent, bookingRepo } from "../scheduling/index.ts";
import type { Checkout, Plan, Read } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { orderOf, paymentOf } from "./planned-records.ts";
import { endOfReplaced } from "./replaced-orders.ts";
import { customerKeyOf } from "./used-up-deals.ts";

/**
 * The one batch that places an order. What the replaced orders give back is there before this one
 * takes it; its own row, which a repeat meets, comes first.
 */
export async function placement(
  ctx: CheckoutContext,
  checkout: Checkout,
  { replaced, turn }: Pick<Read, "replaced" | "turn">,
): Promise<Change> {
  const { plan, request } = checkout;
  const { orderId, billToken, sessionId, discounts, fx, bookings = [] } = plan;
  const booked = bookingRepo(ctx);
  const orders = orderRepo(ctx);
  const order = orderOf(ctx, checkout);
  const number = orders.numberOf(orderId);
  const payment = paymentOf(ctx, checkout);
  const ended = endOfReplaced(ctx, replaced);
  return {
    writes: [
      ...orders.insert(order, {
        billTokenHash: await sha256(billToken),
        sessionId,
        numberPrefix: ctx.business.settings.orderNumberPrefix,
        ofCart: { cartId: request.cartId, turn },
      }),
      number,
      ...customersOwn(ctx, checkout),
      ...ended.writes,
      paymentRepo(ctx).insert(payment),
      paymentRepo(ctx).keepReference(payment),
      ...(fx ? [fxQuoteRepo(ctx).claim(fx.quote, orderId)] : []),
      ...stockRepo(ctx).reserveWherever(orderId, wantedOf(plan), plan.locationId),
      ...booked.insert(bookings, ctx.now()),
      ...redemptionRepo(ctx).redeem({
        orderId,
        discounts,
        customerKey: customerKeyOf(plan, request),
      }),
    ],
    events: [
      ...ended.events,
      orderCreated(order, number),
      ...bookings.map(({ booking }) => ({
        ...bookingEvent("booking.created", booking),
        computed: { staff_id: booked.giverOf(booking.id) },
      })),
    ],
    audit: ended.audit,
    refusals: { ...ended.refusals, fx_quotes_used_once: quoteUsed, [endedLogin]: loginEnded },
  };
}

/** Of whose login it is: that it stands, and what they wished to find in their record next time. */
function customersOwn(ctx: CheckoutContext, { plan, request }: Checkout): Write[] {
  const { login } = plan;
  const { customer } = request;
  if (login === null) return [];
  return [
    loginRepo(ctx).demand(login),
    ...(customer.savesDetails
      ? [customerRepo(ctx).fillIn(login.customerId, customer, ctx.now())]
      : []),
  ];
}

function wantedOf({ stock, tiedStock }: Plan): WantedPieces[] {
  const tied = new Map(tiedStock);
  return stock.map(([itemId, quantity]) => ({ itemId, quantity, tied: tied.get(itemId) ?? 0 }));
}
