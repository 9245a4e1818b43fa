import type { DukaError } from "../../../sdk/src/storefront.ts";

/**
 * What the API says, without what it says to programs, and without advice that the pages give in
 * their own words.
 */
export const forShoppers = ({ message }: Pick<DukaError, "message">): string =>
  message
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !/Idempotency-Key|[a-z]_[a-z]|^Pay again/.test(sentence))
    .join(" ");

/** What went wrong with a payment; null for any other failure. */
export function paymentRefusalText(error: DukaError): string | null {
  switch (error.context.reason) {
    case "PAYMENT_DECLINED":
      return `${forShoppers(error)} Nothing was paid. Try again, or choose another way to pay.`;
    case "PROVIDER_UNAVAILABLE":
      return "The payment provider does not answer. Try again in a moment: you are charged once at most.";
    default:
      return null;
  }
}
