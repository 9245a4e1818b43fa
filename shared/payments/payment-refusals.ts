import { declinedPaymentReason, Refusal, ruleViolation } from "../kernel/index.ts";
import type { UnavailableReason } from "./provider.ts";

/**
 * SERVICE_UNAVAILABLE for a charge that the provider declined
 * (docs/contract/storefront.md#checkout-failed-payment).
 *
 * @param reason the provider's reason, as a sentence for the shopper.
 * @param advice what the shopper can do.
 */
export const paymentDeclined = (
  reason: string,
  { advice, orderId }: Readonly<{ advice: string; orderId: string }>,
) =>
  new Refusal({
    code: "SERVICE_UNAVAILABLE",
    message: `The payment was declined. ${reason} ${advice}`,
    context: { reason: declinedPaymentReason, order_id: orderId },
  });

const unavailableTexts: Readonly<Record<UnavailableReason, string>> = {
  currency: "The payment provider does not take this currency for this payment method.",
  method: "The payment provider does not take this payment method for this order.",
  credentials: "The payment provider does not take payments for this business now.",
  account: "The business does not take this payment method any more.",
};

/**
 * PAYMENT_METHOD_UNAVAILABLE for a charge that the provider does not make for this business
 * (docs/contract/storefront.md#unavailable-payment).
 */
export const paymentUnavailable = (reason: UnavailableReason, orderId: string) =>
  ruleViolation(
    "PAYMENT_METHOD_UNAVAILABLE",
    `${unavailableTexts[reason]} Choose another one of its payment_methods.`,
    { reason: reason.toUpperCase(), order_id: orderId },
  );

/** SERVICE_UNAVAILABLE for a payment provider that does not answer. */
export const providerUnavailable = (
  orderId: string,
  { advice = "Try again." }: Readonly<{ advice?: string }> = {},
) =>
  new Refusal({
    code: "SERVICE_UNAVAILABLE",
    message: `The payment provider did not answer. ${advice}`,
    context: { reason: "PROVIDER_UNAVAILABLE", order_id: orderId },
  });

const maxReasonLength = 200;
const fallbackReason = "The provider gave no reason.";

/**
 * A provider's text as one sentence for the shopper. A text that may contain an address, a number
 * of a person or a key is left out, because the message also reaches logs of the shop.
 */
export function toDeclineReason(
  text: string | null | undefined,
  fallback = fallbackReason,
): string {
  const words = (text ?? "")
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim()
    .slice(0, maxReasonLength);
  if (words === "" || /@|\d{5}|[sp]k_/.test(words)) return fallback;
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
