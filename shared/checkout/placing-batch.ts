import { unpaidLimitsOf } from "../businesses/index.ts";
import { customerRepo, loginConstraint, loginEndedRefusal, loginRepo } from "../customers/index.ts";
import type { AuditedChange, Change, Write } from "../database/index.ts";
import { redemptionRepo } from "../deals/index.ts";
import { fxQuoteRepo, fxQuoteUsed } from "../fx/index.ts";
import { reserveStockAnywhere, type StockRequirement } from "../inventory/index.ts";
import { sha256 } from "../kernel/index.ts";
import {
  insertAgentOrder,
  insertOrder,
  orderCreatedEvent,
  orderRepo,
  unpaidLimitConditions,
  unpaidLimitRefusals,
} from "../orders/index.ts";
import { paymentRepo } from "../payments/index.ts";
import { bookingEvent, bookingRepo, type NewBooking } from "../scheduling/index.ts";
import { upsertPlatformReceiver } from "../webhooks/index.ts";
import {
  type CheckoutPlan,
  type PlacingReads,
  type PlannedCheckout,
  plannedCouponCodes,
} from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { plannedOrder, plannedPayment } from "./planned-records.ts";
import { pricesUnchanged } from "./price-check-query.ts";
import { cancellationOf, orderIdsOf } from "./replaced-orders.ts";
import { dealUserOf } from "./used-up-deals.ts";

/**
 * The one batch that places an order. The order's own row comes first, so that a repeat fails on it,
 * and so does an order at prices that have changed since they were read. The replaced orders are
 * cancelled before stock and slots are taken, which may be theirs.
 */
export async function createPlacingBatch(
  ctx: CheckoutContext,
  checkout: PlannedCheckout,
  { replaced, turn, catalogue }: Pick<PlacingReads, "replaced" | "turn" | "catalogue">,
): Promise<Change> {
  const { plan, request } = checkout;
  const { orderId, billToken, sessionId, discounts, fx, bookings } = plan;
  const bookingRepository = bookingRepo(ctx);
  const user = dealUserOf(plan, request);
  const order = plannedOrder(ctx, checkout);
  const orderNumberQuery = orderRepo(ctx).numberOf(orderId);
  const payment = plannedPayment(ctx, checkout);
  const cancellation = cancellationOf(ctx, replaced);
  const limits = unpaidLimitsOf(ctx.business);
  const unpaidLimits = unpaidLimitConditions(ctx, {
    order,
    bookingCount: bookings.length,
    addressDigest: plan.addressDigest,
    replacedIds: orderIdsOf(replaced),
    limits,
  });
  return {
    writes: [
      ...insertOrder(ctx, order, {
        billTokenHash: await sha256(billToken),
        sessionId,
        numberPrefix: ctx.business.settings.orderNumberPrefix,
        cartTurn: { cartId: request.cartId, turn },
        pricesAreCurrent: pricesUnchanged(
          ctx,
          { ...plan, couponCodes: plannedCouponCodes(plan), user },
          catalogue,
        ),
        ...(!plan.byBusiness && { unpaidLimits }),
        addressDigest: plan.addressDigest,
        savesDetails: plan.login === null && request.customer.savesDetails,
      }),
      orderNumberQuery,
      ...agentWrites(ctx, checkout),
      ...customerWrites(ctx, checkout),
      ...cancellation.writes,
      paymentRepo(ctx).insert(payment),
      paymentRepo(ctx).insertFirstAttempt(payment),
      ...(fx ? [fxQuoteRepo(ctx).claim(fx.quote, orderId)] : []),
      ...reserveStockAnywhere(ctx, orderId, {
        requirements: stockRequirementsOf(plan),
        preferredLocationId: plan.locationId,
      }),
      ...bookingRepository.insert(bookings, ctx.now()),
      ...redemptionRepo(ctx).redeem({
        orderId,
        discounts,
        user,
      }),
    ],
    events: [
      ...cancellation.events,
      orderCreatedEvent(order, orderNumberQuery),
      ...bookings.map(({ booking }) => ({
        ...bookingEvent("booking.created", booking),
        computed: { staff_id: bookingRepository.staffQuery(booking.id) },
      })),
    ],
    audit: [
      ...cancellation.audit,
      ...(plan.byBusiness ? bookings.map(auditedBooking) : []),
      ...(isPlacedByAgent(ctx) ? [auditedOrder(checkout)] : []),
    ],
    refusals: {
      ...cancellation.refusals,
      fx_quotes_used_once: fxQuoteUsed,
      [loginConstraint]: loginEndedRefusal,
      ...unpaidLimitRefusals(limits),
    },
  };
}

/** Stores which agent placed the order, and where its platform receives the order's events. */
function agentWrites(ctx: CheckoutContext, { plan, request }: PlannedCheckout): Write[] {
  const { agent } = request;
  if (!agent) return [];
  return [
    insertAgentOrder(ctx, plan.orderId, agent, plan.createdAt),
    ...(agent.webhookUrl === null
      ? []
      : [
          upsertPlatformReceiver(ctx, {
            id: ctx.newId("whk"),
            profileUrl: agent.profileUrl,
            url: agent.webhookUrl,
            createdAt: plan.createdAt,
          }),
        ]),
  ];
}

/** Not when the buyer places the order of a checkout that an agent has prepared. */
const isPlacedByAgent = ({ actor }: Pick<CheckoutContext, "actor">): boolean =>
  actor.type === "session" && actor.agentProfileUrl !== undefined;

/** The entry of an order that an agent placed for its buyer. */
const auditedOrder = ({ plan }: PlannedCheckout): AuditedChange => ({
  action: "order.placed",
  entity: plan.orderId,
  before: null,
  after: { total: plan.totals.totalPriceMinor },
});

/** The entry of a booking that the business made. */
const auditedBooking = ({ booking }: NewBooking): AuditedChange => ({
  action: "booking.created",
  entity: booking.orderId,
  before: null,
  after: {
    booking: booking.id,
    service: booking.serviceId,
    startTime: booking.startTime,
    endTime: booking.endTime,
  },
});

/**
 * Fails the batch when the customer's login has ended. On request, fills empty fields of the
 * customer's profile.
 */
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
