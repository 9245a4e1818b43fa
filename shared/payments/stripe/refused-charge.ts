import { type ChargeResult, declined, noAnswer, unavailableCharge } from "../provider.ts";
import { isKeyRefused, type StripeRefusal, type StripeResponse } from "./client.ts";
import { declineReason } from "./objects.ts";

export type RefusedCharge = (
  response: Exclude<StripeResponse<unknown>, { type: "ok" }>,
) => ChargeResult;

const paymentRequired = 402;

/** Creates the function that maps Stripe's refusal of a charge to its result. */
export const createRefusedCharge =
  ({
    onCredentialsRefused,
  }: Readonly<{ onCredentialsRefused?: (() => void) | undefined }>): RefusedCharge =>
  (response) => {
    if (response.type === "no_answer") {
      if (!isKeyRefused(response)) return noAnswer;
      onCredentialsRefused?.();
      return unavailableCharge("credentials");
    }
    if (isCurrencyRefused(response)) return unavailableCharge("currency");
    if (isMethodRefused(response)) return unavailableCharge("method");
    if (response.code === "idempotency_error") return noAnswer; // the first charge may be paid
    const { status, code, intentId } = response;
    const result = declined(
      status === paymentRequired ? declineReason(code) : "The provider did not accept the charge.",
    );
    return intentId === null ? result : { ...result, providerReference: intentId };
  };

const isCurrencyRefused = ({ param, code }: StripeRefusal): boolean =>
  /(?:^|\[)currency\]?$/.test(param) || code === "payment_method_currency_mismatch";

const methodCodes: ReadonlySet<string> = new Set([
  ...["payment_method_unactivated", "payment_method_not_available", "capability_not_active"],
  ...["payment_method_unsupported_type", "amount_too_small", "amount_too_large"],
]);

/** Only the text tells that none of the account's payment methods suits a page. */
const isMethodRefused = ({ code, param, message }: StripeRefusal): boolean =>
  methodCodes.has(code) ||
  param.includes("payment_method_types") ||
  /no valid payment method types/i.test(message);
