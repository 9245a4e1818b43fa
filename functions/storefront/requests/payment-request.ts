import { z } from "@hono/zod-openapi";
import { type Business, paymentMethods } from "../../../shared/businesses/index.ts";
import type { CheckoutRequest, PayOrderRequest } from "../../../shared/checkout/index.ts";
import { normalizePhone } from "../../../shared/customers/index.ts";
import { invalid, isCurrency } from "../../../shared/kernel/index.ts";
import {
  isReturnUrl,
  type MobileMoney,
  mobileMoneyProvider,
  type ReturnUrls,
} from "../../../shared/payments/index.ts";
import type { PaymentChoice } from "../../../shared/subscriptions/index.ts";
import type { RequestContext } from "../../http/context.ts";
import { currency, freeObject, id, text } from "../../wire/fields.ts";

const methodFields = {
  payment_method: z.enum(paymentMethods),
  mobile_money_details: z
    .object({
      phone_number: text(40).nullish(),
      provider: text(40).nullish(),
      provider_other: text(40).nullish(),
    })
    .nullish(),
  metadata: freeObject()
    .nullish()
    .transform((metadata) => metadata ?? {}),
};

/** The fields of a body that starts a payment: of a cart, or of an order that is not paid. */
export const paymentFields = {
  ...methodFields,
  pay_currency: currency().nullish(),
  fx_quote_id: id().nullish(),
};

/** The body of POST /subscriptions/{subscription_id}/payment-method. */
export const PaymentMethodBody = z.object(methodFields);
type MethodBody = z.infer<typeof PaymentMethodBody>;

/** The body of POST /orders/{order_id}/pay. */
export const PayOrderBody = z.object(paymentFields).openapi("PayOrder");
type PaymentBody = z.infer<typeof PayOrderBody>;

/** What the deployment contributes to a payment. */
export type PaymentDeployment = Readonly<{
  /** The public origin of the request. */
  origin: string;
  /** Whether pages on this machine may be returned to, for development. */
  allowLocal: boolean;
}>;

export const readPaymentDeployment = (c: RequestContext): PaymentDeployment => ({
  origin: new URL(c.req.url).origin,
  allowLocal: c.get("settings").allowLocalWebhooks,
});

type PaymentRequest = Pick<CheckoutRequest, keyof CheckoutRequest & keyof PayOrderRequest>;

/** The payment with normalised values. @throws Refusal VALIDATION_ERROR naming the field. */
export const toPaymentRequest = (
  body: PaymentBody,
  business: Business,
  { origin, allowLocal }: PaymentDeployment,
): PaymentRequest => ({
  paymentMethod: body.payment_method,
  mobileMoney: body.payment_method === "mobile_money" ? mobileMoneyOf(body, business) : null,
  returnUrls: parseReturnUrls(body, allowLocal),
  origin,
  payCurrency: payCurrencyOf(body),
  fxQuoteId: body.fx_quote_id ?? null,
  metadata: body.metadata,
});

/** The method that renewals are paid with. @throws Refusal VALIDATION_ERROR naming the field. */
export function toPaymentChoice(
  body: MethodBody,
  business: Business,
  { origin, allowLocal }: PaymentDeployment,
): PaymentChoice {
  const method = body.payment_method;
  return {
    method,
    mobileMoney: method === "mobile_money" ? mobileMoneyOf(body, business) : null,
    page: method === "card" ? { returnUrls: parseReturnUrls(body, allowLocal), origin } : null,
  };
}

function parseReturnUrls({ metadata }: MethodBody, allowLocal: boolean): ReturnUrls {
  const parse = (name: "success_url" | "cancel_url"): string | null => {
    const value = metadata[name] ?? null;
    if (value === null) return null;
    if (typeof value === "string" && isReturnUrl(value, { allowLocal })) return value;
    throw invalid(
      `metadata.${name}`,
      "must be an absolute https address of at most 2,048 characters.",
    );
  };
  return { success: parse("success_url"), cancel: parse("cancel_url") };
}

function mobileMoneyOf(
  { mobile_money_details: details }: MethodBody,
  business: Business,
): MobileMoney {
  if (!details) throw invalid("mobile_money_details", "is required for mobile_money");
  const phoneNumber = normalizePhone(details.phone_number ?? "", business.defaultCountry);
  if (phoneNumber === null)
    throw invalid("mobile_money_details.phone_number", "is not a phone number");
  const provider =
    mobileMoneyProvider(details.provider ?? "") ??
    mobileMoneyProvider(details.provider_other ?? "");
  if (provider === null)
    throw invalid("mobile_money_details.provider", "is not a mobile money provider");
  return { phoneNumber, provider };
}

function payCurrencyOf({ pay_currency }: PaymentBody): string | null {
  if (pay_currency === undefined || pay_currency === null) return null;
  if (!isCurrency(pay_currency)) throw invalid("pay_currency", "is not an ISO 4217 currency code");
  return pay_currency;
}
