import { minute } from "../kernel/index.ts";
import type { Order, OrderLine } from "../orders/index.ts";
import { firstStatus, type Payment, type PaymentProvider } from "../payments/index.ts";
import type { Checkout, PlannedLine } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { amountToPay } from "./pay-currency.ts";

/** An order whose payment a provider was asked for, and that is not settled, is given up then (completions.md 6). */
export const patienceMs = 30 * minute;

/** Who did what a checkout does, in the order's status history. */
const actor = "customer";

/** The order as the plan has it; its number is drawn when it is placed. */
export function orderOf(ctx: CheckoutContext, { request, plan }: Checkout): Order {
  const { customer } = request;
  const provider = providerOf(ctx, request);
  return {
    id: plan.orderId,
    orderNumber: "",
    status: "pending",
    orderType: request.orderType,
    lines: plan.lines.map((line) => orderLine(line, request)),
    ...plan.totals,
    discounts: plan.discounts,
    currency: ctx.business.currency,
    customerId: plan.login?.customerId ?? null,
    customerName: customer.name,
    customerEmail: customer.email,
    customerPhone: customer.phone,
    customerNotes: customer.notes,
    paymentStatus: firstStatus(provider),
    paymentMethod: request.paymentMethod,
    locationId: plan.locationId,
    addressInfo: request.addressInfo,
    specialInstructions: request.specialInstructions,
    metadata: request.metadata,
    statusHistory: [{ status: "pending", at: plan.createdAt, by: actor }],
    cancelledAt: null,
    cancellationReason: null,
    expiresAt: provider.takenBy === "business" ? null : plan.createdAt + patienceMs,
    createdAt: plan.createdAt,
    updatedAt: plan.createdAt,
    version: 1,
  };
}

/** The payment as it is before its provider was asked. */
export function paymentOf(ctx: CheckoutContext, { request, plan, reference }: Checkout): Payment {
  const provider = providerOf(ctx, request);
  return {
    id: plan.paymentId,
    orderId: plan.orderId,
    sessionId: plan.sessionId,
    reference,
    provider: provider.name,
    method: request.paymentMethod,
    status: firstStatus(provider),
    ...amountToPay(ctx, plan),
    nextAction: { type: "none" },
    failedAttempts: 0,
    settledAt: null,
    receipt: null,
    mismatch: null,
    createdAt: plan.createdAt,
    updatedAt: plan.createdAt,
    version: 1,
  };
}

/** The provider that the order was planned with. */
export function providerOf(
  ctx: Pick<CheckoutContext, "providerFor">,
  { paymentMethod }: Pick<Checkout["request"], "paymentMethod">,
): PaymentProvider {
  const provider = ctx.providerFor(paymentMethod);
  if (!provider) throw new Error(`No provider for ${paymentMethod}, which a plan was made for.`);
  return provider;
}

const orderLine = (
  { orderLineId, configuration, snapshot, quantity, billingPlan }: PlannedLine,
  { mobileMoney }: Checkout["request"],
): OrderLine => ({
  id: orderLineId,
  productId: configuration.productId,
  productName: snapshot.name,
  variantId: snapshot.variantId,
  variantName: snapshot.variantName,
  quantity,
  unitPriceMinor: snapshot.unitPriceMinor,
  priceParts: snapshot.parts,
  addOnOptionIds: configuration.addOnOptionIds,
  specialInstructions: configuration.specialInstructions,
  // A checkout that was planned before lines had plans has none.
  subscription: billingPlan ? { type: "new", plan: billingPlan, configuration, mobileMoney } : null,
});
