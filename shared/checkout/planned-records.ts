import { toOrderedDelivery } from "../delivery/index.ts";
import { generateToken } from "../kernel/index.ts";
import {
  lineChoices,
  type Order,
  type OrderLine,
  taxLinesOfTotals,
  unpaidOrderTtlMs,
  withLineTaxes,
} from "../orders/index.ts";
import {
  initialPaymentStatus,
  isMethodPayable,
  isOwnAccountName,
  type Payment,
  type PaymentProvider,
  purgedProvider,
  requireProvider,
} from "../payments/index.ts";
import type { Checkout, PlannedLine } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { amountToPay } from "./convert-currency.ts";

/** The planned order, which has no number until it is placed. */
export function plannedOrder(ctx: CheckoutContext, checkout: Checkout): Order {
  const { request, plan } = checkout;
  const { customer } = request;
  const provider = requireChargeProvider(ctx, checkout);
  const { discounts, totals, amounts, byBusiness } = plan;
  const status = byBusiness?.status ?? "pending";
  const shopperExpiresAt =
    provider.collectedBy === "business" ? null : plan.createdAt + unpaidOrderTtlMs;
  const order = { ...totals, deliveryTotalMinor: amounts?.deliveryTotalMinor ?? 0, discounts };
  const lines = plan.lines.map((line, index) => ({
    ...plannedOrderLine(line, request),
    taxMinor: amounts?.lineTaxMinor[index] ?? null,
    exemptedTaxMinor: amounts?.lineExemptedTaxMinor?.[index] ?? 0,
  }));
  const tax = plan.tax ?? null;
  return {
    id: plan.orderId,
    orderNumber: "",
    status,
    orderType: request.orderType,
    lines: withLineTaxes(lines, order),
    ...order,
    tax,
    taxLines: amounts?.taxLines ?? taxLinesOfTotals({ ...order, tax }),
    currency: ctx.business.currency,
    customerId: plan.login?.customerId ?? null,
    customerName: customer.name,
    customerEmail: customer.email,
    customerPhone: customer.phone,
    customerNotes: customer.notes,
    paymentStatus: initialPaymentStatus(provider),
    paymentMethod: request.paymentMethod,
    locationId: plan.locationId,
    addressInfo: request.addressInfo,
    delivery: plan.delivery ? toOrderedDelivery(plan.delivery) : null,
    specialInstructions: request.specialInstructions,
    metadata: request.metadata,
    tags: [],
    statusHistory: [{ status, at: plan.createdAt, by: byBusiness ? "business" : "customer" }],
    cancelledAt: null,
    cancellationReason: null,
    expiresAt: byBusiness ? byBusiness.expiresAt : shopperExpiresAt,
    createdAt: plan.createdAt,
    updatedAt: plan.createdAt,
    version: 1,
  };
}

/** The payment as it is stored before the provider is called. */
export function plannedPayment(ctx: CheckoutContext, checkout: Checkout): Payment {
  const { request, plan, reference } = checkout;
  const provider = requireChargeProvider(ctx, checkout);
  return {
    id: plan.paymentId,
    orderId: plan.orderId,
    sessionId: plan.sessionId,
    reference,
    provider: provider.name,
    method: request.paymentMethod,
    status: initialPaymentStatus(provider),
    ...amountToPay(ctx, plan),
    nextAction: { type: "none" },
    failedAttempts: 0,
    settledAt: null,
    receipt: null,
    mismatch: null,
    dispute: null,
    createdAt: plan.createdAt,
    updatedAt: plan.createdAt,
    version: 1,
  };
}

type PlannedCharge = Pick<Checkout, "request" | "plan" | "provider">;

/**
 * The provider of the checkout's current charge, also when the routing has changed since.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the deployment has no key for it any more.
 */
export function requireChargeProvider(
  ctx: CheckoutContext,
  checkout: PlannedCharge,
): PaymentProvider {
  if (checkout.provider === undefined) return requireNewProvider(ctx, checkout);
  const { provider: name, request } = checkout;
  const purged = isOwnAccountName(name) ? purgedProvider(name) : null;
  return requireProvider(ctx.providers.byName(name) ?? purged, request.paymentMethod);
}

/**
 * The provider to which the routing sends the checkout's next charge.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the business has none for it any more.
 */
export const requireNewProvider = (ctx: CheckoutContext, charge: PlannedCharge): PaymentProvider =>
  requireProvider(findNewProvider(ctx, charge), charge.request.paymentMethod);

/** As `requireNewProvider`, but null when the business has none. */
export function findNewProvider(
  ctx: CheckoutContext,
  { request: { paymentMethod }, plan }: PlannedCharge,
): PaymentProvider | null {
  const { currency } = amountToPay(ctx, plan);
  const isChosenByBusiness = ctx.actor.type === "merchant"; // also cash that shoppers cannot choose
  return isChosenByBusiness || isMethodPayable(ctx, paymentMethod, currency)
    ? ctx.providers.forMethod(paymentMethod, currency)
    : null;
}

const plannedOrderLine = (
  { orderLineId, configuration, snapshot, quantity, billingPlan, fulfilment }: PlannedLine,
  request: Checkout["request"],
): Omit<OrderLine, "taxMinor" | "exemptedTaxMinor"> => ({
  id: orderLineId,
  productId: configuration.productId,
  productName: snapshot.name,
  variantId: snapshot.variantId,
  variantName: snapshot.variantName,
  quantity,
  unitPriceMinor: snapshot.unitPriceMinor,
  priceParts: snapshot.parts,
  addOnOptionIds: configuration.addOnOptionIds,
  details: snapshot.details ?? null,
  specialInstructions: configuration.specialInstructions,
  choices: lineChoices(configuration),
  subscription: billingPlan && {
    type: "new",
    plan: billingPlan,
    renewalPriceMinor: snapshot.renewalPriceMinor ?? snapshot.unitPriceMinor,
    configuration,
    ...subscriptionPayer(request),
  },
  requiresShipping: fulfilment?.requiresShipping ?? true,
  stockPerUnit: fulfilment?.stockPerUnit ?? null,
});

/** Whether the payer of this order is charged again later. */
export const startsSubscription = ({ lines }: Pick<Order, "lines">): boolean =>
  lines.some(({ subscription }) => subscription !== null);

/** How renewals are paid when the order of this request starts a subscription. */
export const subscriptionPayer = ({
  mobileMoney,
  returnUrls,
  origin,
}: Pick<Checkout["request"], "mobileMoney" | "returnUrls" | "origin">) => ({
  mobileMoney,
  page: mobileMoney === null ? { returnUrls, origin } : null,
});

/**
 * Creates a reference, by which the provider can later be asked about a charge. After a declined
 * charge a new reference is used.
 */
export const newReference = ({ randomBytes }: Pick<CheckoutContext, "randomBytes">): string =>
  `ref_${generateToken(randomBytes)}`;
