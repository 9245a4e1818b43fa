import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import type { SentCheckoutRequest } from "../../../shared/checkout/index.ts";
import { invalid, parseMoney } from "../../../shared/kernel/index.ts";
import { customerDetailFields, toCustomerDetails } from "../../wire/customer-details.ts";
import { freeObject, id, moneyText, text, textOrNull } from "../../wire/fields.ts";
import { orderType } from "../../wire/order-type.ts";
import { type PaymentDeployment, paymentFields, toPaymentRequest } from "./payment-request.ts";

/** The body of POST /checkout. */
export const CheckoutBody = z
  .object({
    cart_id: id(),
    customer: z
      .object({
        ...customerDetailFields,
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
  return {
    cartId: body.cart_id,
    customer: {
      ...toCustomerDetails(customer, business),
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
