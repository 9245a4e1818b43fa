import { customerRepo, loginConstraint, loginEndedRefusal, loginRepo } from "../customers/index.ts";
import type { Change, Write } from "../database/index.ts";
import { redemptionRepo } from "../deals/index.ts";
import { fxQuoteRepo, fxQuoteUsed } from "../fx/index.ts";
import { reserveStockAnywhere, type StockRequirement } from "../inventory/index.ts";
import { sha256 } from "../kernel/index.ts";
import { orderCreatedEvent, orderRepo } from "../orders/index.ts";
import { paymentRepo } from "../payments/index.ts";
import { bookingEvent, bookingRepo } from "../scheduling/index.ts";
import type { CheckoutPlan, PlacingReads, PlannedCheckout } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { plannedOrder, plannedPayment } from "./planned-records.ts";
import { cancellationOf } from "./replaced-orders.ts";
import { customerKeyOf } from "./used-up-deals.ts";

/**
 * The one batch that places an order. The order's own row comes first, so that a repeat fails on it.
 * The replaced orders are cancelled before stock and slots are taken, which may be theirs.
 */
export async function createPlacingBatch(
  ctx: CheckoutContext,
  checkout: PlannedCheckout,
  { replaced, turn }: Pick<PlacingReads, "replaced" | "turn">,
): Promise<Change> {
  const { plan, request } = checkout;
  const { orderId, billToken, sessionId, discounts, fx, bookings } = plan;
  const bookingRows = bookingRepo(ctx);
  const orders = orderRepo(ctx);
  const order = plannedOrder(ctx, checkout);
  const number = orders.numberOf(orderId);
  const payment = plannedPayment(ctx, checkout);
  const cancellation = cancellationOf(ctx, replaced);
  return {
    writes: [
      ...orders.insert(order, {
        billTokenHash: await sha256(billToken),
        sessionId,
        numberPrefix: ctx.business.settings.orderNumberPrefix,
        cartTurn: { cartId: request.cartId, turn },
      }),
      number,
      ...customerWrites(ctx, checkout),
      ...cancellation.writes,
      paymentRepo(ctx).insert(payment),
      paymentRepo(ctx).insertReference(payment),
      ...(fx ? [fxQuoteRepo(ctx).claim(fx.quote, orderId)] : []),
      ...reserveStockAnywhere(ctx, orderId, {
        requirements: stockRequirementsOf(plan),
        preferredLocationId: plan.locationId,
      }),
      ...bookingRows.insert(bookings, ctx.now()),
      ...redemptionRepo(ctx).redeem({
        orderId,
        discounts,
        customerKey: customerKeyOf(plan, request),
      }),
    ],
    events: [
      ...cancellation.events,
      orderCreatedEvent(order, number),
      ...bookings.map(({ booking }) => ({
        ...bookingEvent("booking.created", booking),
        computed: { staff_id: bookingRows.staffQuery(booking.id) },
      })),
    ],
    audit: cancellation.audit,
    refusals: {
      ...cancellation.refusals,
      fx_quotes_used_once: fxQuoteUsed,
      [loginConstraint]: loginEndedRefusal,
    },
  };
}

/** Fails the batch when the customer's login has ended; saves their details when they wish it. */
function customerWrites(ctx: CheckoutContext, { plan, request }: PlannedCheckout): Write[] {
  const { login } = plan;
  const { customer } = request;
  if (login === null) return [];
  return [
    loginRepo(ctx).assertActive(login),
    ...(customer.savesDetails
      ? [customerRepo(ctx).fillMissingDetails(login.customerId, customer, ctx.now())]
      : []),
  ];
}

function stockRequirementsOf({ stock, tiedStock }: CheckoutPlan): StockRequirement[] {
  const tied = new Map(tiedStock);
  return stock.map(([itemId, quantity]) => ({
    itemId,
    quantity,
    preferredOnlyQuantity: tied.get(itemId) ?? 0,
  }));
}
