import { z } from "zod";
import { exponentOf, isCurrency } from "../../kernel/index.ts";
import { toDeclineReason } from "../payment-refusals.ts";
import type { AuthorizationType, ChargeState, RefundResult } from "../provider.ts";

const shortText = (max: number) =>
  z
    .string()
    .transform((value) => value.trim().slice(0, max))
    .catch("");

/** `data` of POST /charge, of its submit_* calls and of GET /charge/{reference}. */
export const ChargeData = z.object({
  reference: z.string(),
  status: z.string(),
  amount: z.number().int().nullish().catch(null),
  currency: z.string().nullish().catch(null),
  display_text: shortText(500),
  gateway_response: shortText(300),
  message: shortText(300),
  url: z.string().nullish().catch(null),
});

/** `data` of GET /transaction/verify/{reference}. */
export const TransactionData = z.object({
  id: z.number().int().nonnegative(),
  reference: z.string(),
  status: z.string(),
  amount: z.number().int(),
  currency: z.string(),
  channel: z.string().nullish().catch(null),
  gateway_response: shortText(300),
  /** The token for charging the payer again, if Paystack issued one. */
  authorization: z
    .object({ authorization_code: z.string().min(1), reusable: z.boolean() })
    .nullish()
    .catch(null),
  customer: z
    .object({ email: z.string().min(3) })
    .nullish()
    .catch(null),
});
export type Transaction = z.infer<typeof TransactionData>;

/** `data` of POST /transaction/initialize. */
export const InitializedData = z.object({ reference: z.string(), authorization_url: z.string() });

/** `data` of POST /refund, and one entry of GET /refund. */
export const RefundData = z.object({
  status: z.string(),
  merchant_note: z.string().nullish().catch(null),
});
export const RefundList = z.array(RefundData);

/** `open`: Paystack has no result yet. Null: the response contradicts itself. */
type PaystackOutcome = ChargeState | Readonly<{ type: "open" }> | null;

/**
 * For each Paystack status: the value that the shopper has to enter, and the instruction to show
 * when Paystack sends none.
 */
const challenges: ReadonlyMap<string, readonly [type: AuthorizationType, text: string]> = new Map([
  ["send_otp", ["otp", "Enter the one-time code that was sent to your phone."]],
  ["send_pin", ["pin", "Enter your PIN."]],
  ["send_phone", ["phone", "Enter the phone number of the account."]],
  ["send_birthday", ["birthday", "Enter your date of birth, such as 1990-12-31."]],
  ["send_address", ["address", "Enter your billing address: street, city, state, zip code."]],
]);

/**
 * Maps a charge's `data` to a result. Only `data.status` counts, because a failed charge also has
 * the HTTP status 200.
 */
export function chargeOutcome(data: z.infer<typeof ChargeData>): PaystackOutcome {
  const challenge = challenges.get(data.status);
  if (challenge) {
    const [authorizationType, text] = challenge;
    return { type: "authorization", authorizationType, displayText: data.display_text || text };
  }
  switch (data.status) {
    case "success":
      return toCaptured(data.amount ?? null, data.currency ?? null);
    case "open_url":
      return toRedirect(data.url ?? "");
    case "pay_offline":
      return {
        type: "await",
        displayText: data.display_text || "Confirm the payment on your phone.",
      };
    case "failed":
    case "timeout":
    case "reversed":
      return toDeclinedResult(data.status, data.gateway_response || data.message);
    default:
      return { type: "open" }; // "pending", and statuses that we do not know.
  }
}

/**
 * Maps a verified transaction to a result. The status "abandoned" counts as open, because the
 * shopper can still pay on the page.
 */
export function transactionOutcome({
  status,
  amount,
  currency,
  gateway_response: gatewayResponse,
}: Transaction): PaystackOutcome {
  if (status === "success") return toCaptured(amount, currency);
  return status === "failed" || status === "reversed"
    ? toDeclinedResult(status, gatewayResponse)
    : { type: "open" };
}

/** A redirect to a Paystack page. Null when the URL is not https. */
export const toRedirect = (url: string): ChargeState | null =>
  /^https:\/\/[^\s"'<>\\]+$/.test(url) ? { type: "redirect", authorizationUrl: url } : null;

export function refundOutcome({ status }: z.infer<typeof RefundData>): RefundResult {
  if (status === "processed") return { type: "refunded" };
  if (status === "failed") return { type: "declined", reason: "Paystack could not refund it." };
  return { type: "pending" }; // "pending", "processing" or "needs-attention".
}

const reasonByStatus: ReadonlyMap<string, string> = new Map([
  ["timeout", "It was not confirmed in time."],
  ["reversed", "The provider reversed it."],
]);

const toDeclinedResult = (status: string, text: string): ChargeState => ({
  type: "declined",
  reason: toDeclineReason(text, reasonByStatus.get(status)),
});

function toCaptured(subunits: number | null, currency: string | null): ChargeState | null {
  const code = currency?.toUpperCase() ?? "";
  if (subunits === null || !isCurrency(code)) return null;
  const amountMinor = fromSubunits(subunits, code);
  return amountMinor === null ? null : { type: "captured", amountMinor, currency: code };
}

/** Paystack's amounts are in hundredths, even for currencies without decimals such as XOF. */
const subunitDecimals = 2;

/**
 * Converts minor units (ISO 4217) to Paystack's hundredths. Null when the amount is out of range.
 */
export function toSubunits(minor: number, currency: string): number | null {
  const subunits = minor * 10 ** (subunitDecimals - exponentOf(currency));
  return Number.isSafeInteger(subunits) ? subunits : null;
}

/** The opposite of `toSubunits`. Null when the currency is unknown or has no such amounts. */
export function fromSubunits(subunits: number, currency: string): number | null {
  if (!isCurrency(currency)) return null;
  const minor = subunits / 10 ** (subunitDecimals - exponentOf(currency));
  return Number.isSafeInteger(minor) ? minor : null;
}
