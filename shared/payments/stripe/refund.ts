import { declined, noAnswer, type RefundRequest, type RefundResult } from "../provider.ts";
import { toStripeAmount } from "./amounts.ts";
import type { CallStripe } from "./client.ts";
import { intentOf, type StripeLookup } from "./lookup.ts";
import {
  type Intent,
  metadataKeys,
  RefundData,
  RefundList,
  refundOutcome,
  type StripeRefund,
} from "./objects.ts";

const refundsPerPage = 100;
/** Enough pages to find an earlier refund, because a payment has few refunds. */
const maxRefundPages = 3;

/**
 * Creates the function that refunds. Our refund id is the idempotency key. It is also in the
 * refund's metadata, because a repeat may come after Stripe has forgotten the key, and has to
 * return the refund's state of now.
 */
export function createStripeRefund(callStripe: CallStripe, lookup: StripeLookup) {
  return async function refund(request: RefundRequest): Promise<RefundResult> {
    const amount = toStripeAmount(request.amountMinor, request.currency);
    if (amount === null) return declined("Stripe does not take this amount of the currency.");
    const charge = await lookup.findCharge(request.reference, request);
    if (charge === "no_answer") return noAnswer;
    const intent = charge === "unknown" ? null : intentOf(charge);
    if (intent === null) return declined("Stripe does not know the payment.");
    const earlier = await findStripeRefund(callStripe, intent, request.refundId);
    if (earlier === "no_answer") return noAnswer;
    return earlier ? refundOutcome(earlier) : requestRefund(request, { intent, amount });
  };

  async function requestRefund(
    { refundId, reference }: RefundRequest,
    { intent, amount }: Readonly<{ intent: Intent; amount: number }>,
  ): Promise<RefundResult> {
    const response = await callStripe({
      name: "POST /v1/refunds",
      send: ({ refunds }) =>
        refunds.create(
          {
            payment_intent: intent.id,
            amount,
            metadata: { [metadataKeys.refundId]: refundId, [metadataKeys.reference]: reference },
          },
          { idempotencyKey: refundId },
        ),
      Data: RefundData,
    });
    if (response.type === "ok") return refundOutcome(response.data);
    if (response.type === "no_answer" || response.code === "idempotency_error") return noAnswer;
    return declined(`Stripe refused the refund (${response.code || response.status}).`);
  }
}

/** Finds the refund of a payment intent whose metadata has our refund id; null when there is none. */
export async function findStripeRefund(
  callStripe: CallStripe,
  { id }: Pick<Intent, "id">,
  refundId: string,
): Promise<StripeRefund | null | "no_answer"> {
  let after: string | undefined;
  for (let page = 1; page <= maxRefundPages; page += 1) {
    const response = await callStripe({
      name: "GET /v1/refunds",
      send: ({ refunds }) =>
        refunds.list({
          payment_intent: id,
          limit: refundsPerPage,
          ...(after !== undefined && { starting_after: after }),
        }),
      Data: RefundList,
    });
    if (response.type !== "ok") return "no_answer";
    const { data, has_more: hasMore } = response.data;
    const found = data.find(({ metadata }) => metadata?.[metadataKeys.refundId] === refundId);
    if (found) return found;
    after = data.at(-1)?.id;
    if (!hasMore || after === undefined) return null;
  }
  return null;
}
