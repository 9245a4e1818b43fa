import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import type { SentCheckoutRequest } from "../../../shared/checkout/index.ts";
import { normalizeEmail, normalizePhone } from "../../../shared/customers/index.ts";
import { invalid, parseMoney } from "../../../shared/kernel/index.ts";
import { freeObject, id, moneyText, text, textOrNull } from "../../wire/fields.ts";
import { orderType } from "../../wire/order-type.ts";
import { type PaymentDeployment, paymentFields, toPaymentRequest } from "./payment-request.ts";

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
    order_type: orderType.nullish(),
    delivery_option_id: id().nullish(),
    address_info: freeObject().nullish(),
    ...paymentFields,
    special_instructions: text(1000).nullish(),
    idempotency_key: z.string().min(1).max(255).nullish(),
    expected_total: moneyText().nullish(),
  })
  .openapi("Checkout");

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
  deployment: PaymentDeployment,
): SentCheckoutRequest {
  const { customer } = body;
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
    orderType: body.order_type ?? null,
    deliveryOptionId: body.delivery_option_id ?? null,
    addressInfo: body.address_info ?? null,
    ...toPaymentRequest(body, business, deployment),
    specialInstructions: textOrNull(body.special_instructions),
    ...expectedTotalOf(body, business),
  };
}

function expectedTotalOf(
  { expected_total: text }: z.infer<typeof CheckoutBody>,
  { currency }: Business,
): Pick<SentCheckoutRequest, "expectedTotalMinor"> {
  if (text === undefined || text === null) return {};
  const expectedTotalMinor = parseMoney(text, currency, "expected_total");
  if (expectedTotalMinor < 0) throw invalid("expected_total", "must not be negative");
  return { expectedTotalMinor };
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
