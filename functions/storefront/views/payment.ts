import { z } from "@hono/zod-openapi";
import { type PaymentMethod, paymentMethods } from "../../../shared/businesses/index.ts";
import type { CheckoutResult } from "../../../shared/checkout/index.ts";
import { allowsPayment } from "../../../shared/delivery/index.ts";
import { formatMoney, isoOrNull } from "../../../shared/kernel/index.ts";
import {
  isPayable,
  type OrderContext,
  type OrderDetails,
  wireStatus,
} from "../../../shared/orders/index.ts";
import {
  authorizationTypes,
  findAttempt,
  type NextAction,
  type PaymentAttempt,
  payableMethods,
  paymentStatuses,
  publicProviderName,
} from "../../../shared/payments/index.ts";

/** What the shopper has to do next; `type` says which other fields there are. */
export const NextActionView = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("none") }).openapi("NextActionNone"),
    z
      .object({
        type: z.literal("authorization"),
        authorization_type: z.enum(authorizationTypes),
        display_text: z.string(),
      })
      .openapi("NextActionAuthorization"),
    z
      .object({ type: z.literal("redirect"), authorization_url: z.string() })
      .openapi("NextActionRedirect"),
    z.object({ type: z.literal("await"), display_text: z.string() }).openapi("NextActionAwait"),
  ])
  .openapi("NextAction");

const placedOrderFields = {
  order_id: z.string(),
  order_number: z.string(),
  payment_id: z.string(),
  payment_reference: z.string(),
  payment_status: z.enum(paymentStatuses),
  provider_status: z.enum(paymentStatuses),
  requires_authorization: z.boolean(),
  authorization_type: z.enum(authorizationTypes).nullable(),
  display_text: z.string().nullable(),
  provider: z.string(),
  next_action: NextActionView,
  fx: z
    .object({
      quote_id: z.string(),
      rate: z.string(),
      pay_amount: z.string(),
      pay_currency: z.string(),
    })
    .nullable(),
};

export const CheckoutResultView = z
  .object({ ...placedOrderFields, bill_token: z.string() })
  .openapi("CheckoutResult");

/** As of a checkout, without the bill token: only its hash is stored. */
export const PayOrderResultView = z
  .object({ ...placedOrderFields, bill_token: z.null() })
  .openapi("PayOrderResult");

export const AuthorizationView = z
  .object({
    order_id: z.string(),
    payment_id: z.string(),
    payment_status: z.enum(paymentStatuses),
    provider_status: z.enum(paymentStatuses),
    requires_authorization: z.boolean(),
    next_action: NextActionView,
  })
  .openapi("AuthorizationResult");

export const PaymentStatusView = z
  .object({
    order_id: z.string(),
    payment_status: z.string(),
    provider_status: z.enum(paymentStatuses),
    payment_reference: z.string(),
    amount: z.string(),
    currency: z.string(),
    settled_at: z.string().nullable(),
    payment_id: z.string(),
    /**
     * What the customer must still do. For example, a renewal that was charged automatically may
     * need the customer's confirmation.
     */
    next_action: NextActionView,
    /** How the order can be paid now; empty when it cannot. */
    payment_methods: z.array(z.enum(paymentMethods)),
  })
  .openapi("PaymentStatus");

export const viewCheckoutResult = (result: CheckoutResult): z.infer<typeof CheckoutResultView> => ({
  ...viewStartedPayment(result),
  bill_token: result.billToken,
});

export const viewPayOrderResult = ({
  order,
  payment,
  attempts,
}: OrderDetails): z.infer<typeof PayOrderResultView> => ({
  ...viewStartedPayment({
    orderId: order.id,
    orderNumber: order.orderNumber,
    paymentId: payment.id,
    paymentReference: payment.reference,
    paymentStatus: payment.status,
    provider: publicProviderName(payment.provider),
    nextAction: payment.nextAction,
    fx: paidFx(payment, findAttempt({ attempts }, payment.reference)),
  }),
  bill_token: null,
});

const paidFx = (
  { amountMinor, currency }: OrderDetails["payment"],
  attempt: PaymentAttempt | undefined,
): CheckoutResult["fx"] =>
  attempt?.fx ? { ...attempt.fx, payAmountMinor: amountMinor, payCurrency: currency } : null;

function viewStartedPayment(result: Omit<CheckoutResult, "billToken">) {
  const { nextAction } = result;
  const isAuthorization = nextAction.type === "authorization";
  return {
    order_id: result.orderId,
    order_number: result.orderNumber,
    payment_id: result.paymentId,
    payment_reference: result.paymentReference,
    payment_status: result.paymentStatus,
    provider_status: result.paymentStatus,
    requires_authorization: isAuthorization,
    authorization_type: isAuthorization ? nextAction.authorizationType : null,
    display_text: "displayText" in nextAction ? nextAction.displayText : null,
    provider: result.provider,
    next_action: viewNextAction(nextAction),
    fx: result.fx && viewFx(result.fx),
  };
}

const viewFx = ({
  quoteId,
  rate,
  payAmountMinor,
  payCurrency,
}: NonNullable<CheckoutResult["fx"]>) => ({
  quote_id: quoteId,
  rate,
  pay_amount: formatMoney(payAmountMinor, payCurrency),
  pay_currency: payCurrency,
});

export const viewAuthorization = ({
  order,
  payment,
}: OrderDetails): z.infer<typeof AuthorizationView> => ({
  order_id: order.id,
  payment_id: payment.id,
  payment_status: payment.status,
  provider_status: payment.status,
  requires_authorization: payment.nextAction.type === "authorization",
  next_action: viewNextAction(payment.nextAction),
});

export const viewPaymentStatus = (
  ctx: Pick<OrderContext, "business" | "providers">,
  { order, payment }: OrderDetails,
): z.infer<typeof PaymentStatusView> => ({
  order_id: order.id,
  payment_status: wireStatus(payment.status),
  provider_status: payment.status,
  payment_reference: payment.reference,
  amount: formatMoney(payment.amountMinor, payment.currency),
  currency: payment.currency,
  settled_at: isoOrNull(payment.settledAt),
  payment_id: payment.id,
  next_action: viewNextAction(payment.nextAction),
  payment_methods: isPayable({ order, payment }) ? methodsFor(ctx, order) : [],
});

/** The methods that the business takes and the order's delivery allows. */
const methodsFor = (
  { business, providers }: Pick<OrderContext, "business" | "providers">,
  { delivery }: OrderDetails["order"],
): PaymentMethod[] =>
  payableMethods(business, providers, business.currency).filter(
    (method) => delivery === null || allowsPayment(delivery, method),
  );

function viewNextAction(action: NextAction): z.infer<typeof NextActionView> {
  switch (action.type) {
    case "none":
      return { type: "none" };
    case "authorization":
      return {
        type: "authorization",
        authorization_type: action.authorizationType,
        display_text: action.displayText,
      };
    case "redirect":
      return { type: "redirect", authorization_url: action.authorizationUrl };
    case "await":
      return { type: "await", display_text: action.displayText };
  }
}
