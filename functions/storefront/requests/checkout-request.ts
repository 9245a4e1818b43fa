import { z } from "@hono/zod-openapi";
import { type Business, paymentMethods } from "../../../shared/businesses/index.ts";
import type { CheckoutRequest } from "../../../shared/checkout/index.ts";
import { normalizeEmail, normalizePhone } from "../../../shared/customers/index.ts";
import { invalid, isCurrency, parseMoney } from "../../../shared/kernel/index.ts";
import {
  type MobileMoney,
  mobileMoneyProvider,
  type ReturnUrls,
} from "../../../shared/payments/index.ts";
import type { PaymentChoice } from "../../../shared/subscriptions/index.ts";
import { currency, freeObject, id, moneyText, text, textOrNull } from "../../wire/fields.ts";
import { orderType } from "../../wire/order-type.ts";

/** How something is paid. `metadata` has the addresses that a card's page leads back to. */
const paymentFields = {
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

/** The body of POST /checkout. */
export const CheckoutBody = z
  .object({
    cart_id: id(),
    customer: z
      .object({
        name: text(200).nullish(),
        email: text(254).nullish(),
        phone: text(40).nullish(),
        notes: text(1000).nullish(),
        save_details: z.boolean().nullish(),
      })
      .nullish()
      .transform((customer) => customer ?? {}),
    order_type: orderType.nullish().transform((type) => type ?? "delivery"),
    address_info: freeObject().nullish(),
    ...paymentFields,
    special_instructions: text(1000).nullish(),
    idempotency_key: z.string().min(1).max(255).nullish(),
    pay_currency: currency().nullish(),
    fx_quote_id: id().nullish(),
    expected_total: moneyText().nullish(),
  })
  .openapi("Checkout");

/** The body of POST /subscriptions/{subscription_id}/payment-method. */
export const PaymentMethodBody = z.object(paymentFields);

/**
 * Converts a request's body to a checkout request. E-mail addresses and phone numbers are
 * normalised for the business's country. Without a contact, the checkout takes those of the
 * logged-in customer.
 *
 * @throws Refusal VALIDATION_ERROR that names the invalid field.
 */
export function toCheckoutRequest(
  body: z.infer<typeof CheckoutBody>,
  business: Business,
  origin: string,
): CheckoutRequest {
  const { customer, metadata } = body;
  const email = parseContact("customer.email", customer.email, normalizeEmail);
  const phone = parseContact("customer.phone", customer.phone, (number) =>
    normalizePhone(number, business.defaultCountry),
  );
  return {
    cartId: body.cart_id,
    customer: {
      name: textOrNull(customer.name),
      email,
      phone,
      notes: textOrNull(customer.notes),
      savesDetails: customer.save_details ?? false,
    },
    orderType: body.order_type,
    addressInfo: body.address_info ?? null,
    paymentMethod: body.payment_method,
    mobileMoney: body.payment_method === "mobile_money" ? mobileMoneyOf(body, business) : null,
    returnUrls: returnUrlsOf(body),
    origin,
    payCurrency: payCurrencyOf(body),
    fxQuoteId: body.fx_quote_id ?? null,
    specialInstructions: textOrNull(body.special_instructions),
    metadata,
    ...expectedTotalOf(body, business),
  };
}

function expectedTotalOf(
  { expected_total: text }: z.infer<typeof CheckoutBody>,
  { currency }: Business,
): Pick<CheckoutRequest, "expectedTotalMinor"> {
  if (text === undefined || text === null) return {};
  const expectedTotalMinor = parseMoney(text, currency, "expected_total");
  if (expectedTotalMinor < 0) throw invalid("expected_total", "must not be negative");
  return { expectedTotalMinor };
}

/** The chosen payment method. @throws Refusal VALIDATION_ERROR naming the field. */
export function toPaymentChoice(
  body: z.infer<typeof PaymentMethodBody>,
  business: Business,
  origin: string,
): PaymentChoice {
  const method = body.payment_method;
  return {
    method,
    mobileMoney: method === "mobile_money" ? mobileMoneyOf(body, business) : null,
    page: method === "card" ? { returnUrls: returnUrlsOf(body), origin } : null,
  };
}

const returnUrlsOf = ({ metadata }: z.infer<typeof PaymentMethodBody>): ReturnUrls => ({
  success: returnUrl(metadata.success_url),
  cancel: returnUrl(metadata.cancel_url),
});

/** The address when it is http(s); null for anything else, because metadata is free-form. */
function returnUrl(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2048 || !URL.canParse(value)) return null;
  const { protocol, href } = new URL(value);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

function mobileMoneyOf(
  { mobile_money_details: details }: z.infer<typeof PaymentMethodBody>,
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

function payCurrencyOf({ pay_currency }: z.infer<typeof CheckoutBody>): string | null {
  if (pay_currency === undefined || pay_currency === null) return null;
  if (!isCurrency(pay_currency)) throw invalid("pay_currency", "is not an ISO 4217 currency code");
  return pay_currency;
}

function parseContact(
  field: string,
  text: string | null | undefined,
  normalise: (text: string) => string | null,
): string | null {
  if (text === null || text === undefined || text.trim() === "") return null;
  const contact = normalise(text);
  if (contact === null) throw invalid(field, "is not valid");
  return contact;
}
