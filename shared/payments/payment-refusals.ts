import { declinedPaymentReason, Refusal } from "../kernel/index.ts";

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
