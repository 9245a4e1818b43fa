import { z } from "@hono/zod-openapi";
import { type Business, paymentMethods } from "../../shared/businesses/index.ts";
import type { CheckoutRequest } from "../../shared/checkout/index.ts";
import { normalisedEmail, normalisedPhone } from "../../shared/customers/index.ts";
import { invalid, ruleBroken } from "../../shared/kernel/index.ts";
import { orderTypes } from "../../shared/orders/index.ts";
import { type MobileMoney, mobileMoneyProvider } from "../../shared/payments/index.ts";
import { currency, freeObject, id, name, text } from "../http/fields.ts";

const orderType = z
  .preprocess(
    (value) => (typeof value === "string" ? value.replaceAll("_", "-") : value),
    z.enum(orderTypes),
  )
  .openapi({ type: "string", enum: [...orderTypes] });

/** interface.md, Checkout: the flat body. */
export const CheckoutBody = z
  .object({
    cart_id: id(),
    customer: z.object({
      name: name().nullish(),
      email: text(254).nullish(),
      phone: text(40).nullish(),
      notes: text(1000).nullish(),
      save_details: z.boolean().optional(),
    }),
    order_type: orderType.default("delivery"),
    address_info: freeObject().nullish(),
    payment_method: z.enum(paymentMethods),
    mobile_money_details: z
      .object({ phone_number: text(40), provider: name(40), provider_other: text(40).nullish() })
      .nullish(),
    special_instructions: text(1000).nullish(),
    idempotency_key: z.string().min(1).max(255).optional(),
    pay_currency: currency().nullish(),
    fx_quote_id: id().nullish(),
    metadata: freeObject().default({}),
  })
  .openapi("Checkout");

/**
 * The request as the domain knows it: contacts normalised with the business's country.
 *
 * @throws Refusal VALIDATION_ERROR naming the field; FX_QUOTE_MISMATCH for another currency.
 */
export function checkoutRequest(
  body: z.infer<typeof CheckoutBody>,
  business: Business,
): CheckoutRequest {
  const { customer } = body;
  refuseOtherCurrency(body, business);
  const email = contact("customer.email", customer.email, normalisedEmail);
  const phone = contact("customer.phone", customer.phone, (given) =>
    normalisedPhone(given, business.defaultCountry),
  );
  if (email === null && phone === null)
    throw invalid("customer.email", "an e-mail address or a phone is required");
  return {
    cartId: body.cart_id,
    customer: { name: customer.name ?? null, email, phone, notes: customer.notes ?? null },
    orderType: body.order_type,
    addressInfo: body.address_info ?? null,
    paymentMethod: body.payment_method,
    mobileMoney: body.payment_method === "mobile_money" ? mobileMoneyOf(body, business) : null,
    specialInstructions: body.special_instructions ?? null,
    metadata: body.metadata,
  };
}

function mobileMoneyOf(
  { mobile_money_details: details }: z.infer<typeof CheckoutBody>,
  business: Business,
): MobileMoney {
  if (!details) throw invalid("mobile_money_details", "is required for mobile_money");
  const phoneNumber = normalisedPhone(details.phone_number, business.defaultCountry);
  if (phoneNumber === null)
    throw invalid("mobile_money_details.phone_number", "is not a phone number");
  const provider = mobileMoneyProvider(details.provider);
  if (provider === null)
    throw invalid("mobile_money_details.provider", "is not a provider of mobile money");
  return { phoneNumber, provider };
}

// Quotes of exchange rates are not given out yet, so that none can match.
function refuseOtherCurrency(
  { pay_currency, fx_quote_id }: z.infer<typeof CheckoutBody>,
  business: Business,
): void {
  if ((pay_currency ?? business.currency) === business.currency && !fx_quote_id) return;
  throw ruleBroken("FX_QUOTE_MISMATCH", `This cart is paid in ${business.currency}.`);
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
