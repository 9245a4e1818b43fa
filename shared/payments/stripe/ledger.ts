import { second } from "../../kernel/index.ts";
import {
  entriesPerLedgerPage,
  type LedgerPage,
  type LedgerQuery,
  type ListedCharge,
  type ListedRefund,
  type ProviderLedger,
} from "../ledger.ts";
import { noAnswer } from "../provider.ts";
import { fromStripeAmount } from "./amounts.ts";
import { createStripeClient, type StripeConnection, type StripeResponse } from "./client.ts";
import { createStripeLookup, intentOf } from "./lookup.ts";
import {
  type Intent,
  IntentList,
  metadataKeys,
  RefundList,
  referenceOf,
  refundOutcome,
  type StripeRefund,
} from "./objects.ts";
import { findStripeRefund } from "./refund.ts";

/** The payment intents and refunds of a Stripe account. */
export function stripeLedger(connection: StripeConnection): ProviderLedger {
  const callStripe = createStripeClient(connection);
  const lookup = createStripeLookup(callStripe);
  return {
    async listCharges(query) {
      const response = await callStripe({
        name: "GET /v1/payment_intents",
        send: ({ paymentIntents }) =>
          paymentIntents.list({ ...pageParams(query), expand: ["data.latest_charge"] }),
        Data: IntentList,
      });
      return toPage(response, toListedCharge);
    },
    async findCharge(reference) {
      const charge = await lookup.findCharge(reference);
      if (charge === "no_answer") return charge;
      const intent = charge === "unknown" ? null : intentOf(charge);
      return intent && toListedCharge(intent);
    },
    async listRefunds(query) {
      const response = await callStripe({
        name: "GET /v1/refunds",
        send: ({ refunds }) => refunds.list(pageParams(query)),
        Data: RefundList,
      });
      return toPage(response, toListedRefund);
    },
    async countRefunds({ id, reference }) {
      const charge = await lookup.findCharge(reference);
      if (charge === "no_answer") return charge;
      const intent = charge === "unknown" ? null : intentOf(charge);
      if (intent === null) return 0;
      const refund = await findStripeRefund(callStripe, intent, id);
      if (refund === "no_answer") return refund;
      return refund === null ? 0 : 1; // its idempotency key allows no second one
    },
  };
}

/** Stripe has times in seconds, and both ends of a range belong to it. */
const pageParams = ({ from, to, cursor }: LedgerQuery) => ({
  created: { gte: Math.floor(from / second), lte: Math.ceil(to / second) },
  limit: entriesPerLedgerPage,
  ...(cursor !== null && { starting_after: cursor }),
});

/** The cursor of a page is the id of its last entry. */
function toPage<Row extends Readonly<{ id: string }>, Entry>(
  response: StripeResponse<Readonly<{ data: readonly Row[]; has_more: boolean }>>,
  toEntry: (row: Row) => Entry,
): LedgerPage<Entry> {
  if (response.type !== "ok") return noAnswer;
  const { data, has_more: hasMore } = response.data;
  const next = hasMore ? (data.at(-1)?.id ?? null) : null;
  return { type: "page", entries: data.map(toEntry), next };
}

const toListedCharge = (intent: Intent): ListedCharge => ({
  reference: referenceOf(intent) ?? intent.id,
  state: stateOf(intent),
  ...toListedMoney(
    intent.status === "succeeded" ? intent.amount_received : intent.amount,
    intent.currency,
  ),
});

function stateOf({ status, latest_charge: charge }: Intent): ListedCharge["state"] {
  if (status !== "succeeded") return "other";
  const isReturned = typeof charge === "object" && charge !== null && charge.amount_refunded > 0;
  return isReturned ? "returned" : "captured";
}

const toListedRefund = (refund: StripeRefund): ListedRefund => ({
  id: refund.metadata?.[metadataKeys.refundId] ?? refund.id,
  reference: refund.metadata?.[metadataKeys.reference] ?? null,
  state: refundStateOf(refund),
  ...toListedMoney(refund.amount, refund.currency),
});

function refundStateOf(refund: StripeRefund): ListedRefund["state"] {
  const { type } = refundOutcome(refund);
  if (type === "refunded") return type;
  return type === "declined" ? "failed" : "pending";
}

function toListedMoney(amount: number, currency: string) {
  const code = currency.toUpperCase();
  return { amountMinor: fromStripeAmount(amount, code), currency: code };
}
