import { z } from "@hono/zod-openapi";
import { type Business, paymentMethods } from "../../../shared/businesses/index.ts";
import type { CheckoutRequest } from "../../../shared/checkout/index.ts";
import { normalisedEmail, normalisedPhone } from "../../../shared/customers/index.ts";
import { invalid, isCurrency } from "../../../shared/kernel/index.ts";
import { type MobileMoney, mobileMoneyProvider } from "../../../shared/payments/index.ts";
import { currency, freeObject, id, said, text } from "../../wire/fields.ts";
import { orderType } from "../../wire/order-type.ts";

/** interface.md, Checkout: the flat body. */
export const CheckoutBody = z
  .object({
    cart_id: id(),
    customer: z.object({
      name: text(200).nullish(),
      email: text(254).nullish(),
      phone: text(40).nullish(),
      notes: text(1000).nullish(),
      save_details: z.boolean().nullish(),
    }),
    order_type: orderType.nullish().transform((type) => type ?? "delivery"),
    address_info: freeObject().nullish(),
    payment_method: z.enum(paymentMethods),
    mobile_money_details: z
      .object({
        phone_number: text(40).nullish(),
        provider: text(40).nullish(),
        provider_other: text(40).nullish(),
      })
      .nullish(),
    special_instructions: text(1000).nullish(),
    idempotency_key: z.string().min(1).max(255).nullish(),
    pay_currency: currency().nullish(),
    fx_quote_id: id().nullish(),
    metadata: freeObject()
      .nullish()
      .transform((metadata) => metadata ?? {}),
  })
  .openapi("Checkout");

/**
 * The request as the domain knows it: contacts normalised with the business's country.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function checkoutRequest(
  body: z.infer<typeof CheckoutBody>,
  business: Business,
  origin: string,
): CheckoutRequest {
  const { customer, metadata } = body;
  const email = contact("customer.email", customer.email, normalisedEmail);
  const phone = contact("customer.phone", customer.phone, (given) =>
    normalisedPhone(given, business.defaultCountry),
  );
  if (email === null && phone === null)
    throw invalid("customer.email", "an e-mail address or a phone is required");
  return {
    cartId: body.cart_id,
    customer: {
      name: said(customer.name),
      email,
      phone,
      notes: said(customer.notes),
      savesDetails: customer.save_details ?? false,
    },
    orderType: body.order_type,
    addressInfo: body.address_info ?? null,
    paymentMethod: body.payment_method,
    mobileMoney: body.payment_method === "mobile_money" ? mobileMoneyOf(body, business) : null,
    returnUrls: {
      success: returnUrl(metadata.success_url),
      cancel: returnUrl(metadata.cancel_url),
    },
    origin,
    payCurrency: payCurrencyOf(body),
    fxQuoteId: body.fx_quote_id ?? null,
    specialInstructions: said(body.special_instructions),
    metadata,
  };
}

/** metadata is the shop's own: what is no http(s) address there is no address to return to. */
function returnUrl(given: unknown): string | null {
  if (typeof given !== "string" || given.length > 2048 || !URL.canParse(given)) return null;
  const { protocol, href } = new URL(given);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

function mobileMoneyOf(
  { mobile_money_details: details }: z.infer<typeof CheckoutBody>,
  business: Business,
): MobileMoney {
  if (!details) throw invalid("mobile_money_details", "is required for mobile_money");
  const phoneNumber = normalisedPhone(details.phone_number ?? "", business.defaultCountry);
  if (phoneNumber === null)
    throw invalid("mobile_money_details.phone_number", "is not a phone number");
  const { provider: named, provider_other: other } = details;
  const provider = mobileMoneyProvider(named ?? "") ?? mobileMoneyProvider(other ?? "");
  if (provider === null)
    throw invalid("mobile_money_details.provider", "is not a provider of mobile money");
  return { phoneNumber, provider };
}

function payCurrencyOf({ pay_currency }: z.infer<typeof CheckoutBody>): string | null {
  if (pay_currency === undefined || pay_currency === null) return null;
  if (!isCurrency(pay_currency)) throw invalid("pay_currency", "is not a currency of ISO 4217");
  return pay_currency;
}

function contact(
  field: string,
  given: string | null | undefined,
  normalised: (given: string) => string | null,
): string | null {
  if (given === null || given === undefined || given.trim() === "") return null;
  const value = normalised(given);
  if (value === null) throw invalid(field, "is not valid");
  return value;
}
