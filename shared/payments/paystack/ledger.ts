import { z } from "zod";
import {
  entriesPerLedgerPage,
  type LedgerPage,
  type LedgerQuery,
  type ListedCharge,
  type ListedRefund,
  type ProviderLedger,
} from "../ledger.ts";
import { noAnswer } from "../provider.ts";
import {
  type CallPaystack,
  createPaystackClient,
  type PaystackResponse,
  type PaystackSettings,
} from "./client.ts";
import { createPaystackLookup } from "./lookup.ts";
import { fromPaystackReference } from "./reference.ts";
import { findPaystackRefunds, hasFailed, refundIdIn } from "./refund.ts";
import { fromSubunits } from "./responses.ts";

const amountFields = { status: z.string(), amount: z.coerce.number(), currency: z.string() };
const TransactionList = z.array(z.object({ reference: z.string(), ...amountFields }));
const RefundLedger = z.array(
  z.object({
    id: z.union([z.string(), z.number()]),
    merchant_note: z.string().nullish().catch(null),
    transaction_reference: z.string().nullish().catch(null),
    ...amountFields,
  }),
);

/** The transactions and refunds of a Paystack account. */
export function paystackLedger(settings: PaystackSettings): ProviderLedger {
  const callPaystack = createPaystackClient(settings);
  const lookup = createPaystackLookup(callPaystack);
  return {
    async listCharges(query) {
      const response = await callList(callPaystack, "/transaction", query, TransactionList);
      return toPage(query, response, toListedCharge);
    },
    async findCharge(reference) {
      const transaction = await lookup.findTransaction(reference);
      if (transaction === "no_answer") return transaction;
      return transaction === "unknown" ? null : toListedCharge(transaction);
    },
    async listRefunds(query) {
      const response = await callList(callPaystack, "/refund", query, RefundLedger);
      return toPage(query, response, toListedRefund);
    },
    async countRefunds({ id, reference }) {
      const transaction = await lookup.findTransaction(reference);
      if (transaction === "no_answer") return transaction;
      if (transaction === "unknown") return 0;
      const refunds = await findPaystackRefunds(callPaystack, transaction, id);
      if (refunds === "no_answer") return refunds;
      return refunds.filter((refund) => !hasFailed(refund)).length;
    },
  };
}

const callList = <T>(
  callPaystack: CallPaystack,
  path: string,
  { from, to, cursor }: LedgerQuery,
  Data: z.ZodType<T>,
): Promise<PaystackResponse<T>> => {
  const query = new URLSearchParams({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    perPage: String(entriesPerLedgerPage),
    page: cursor ?? "1",
  });
  return callPaystack({ name: `GET ${path}`, path: `${path}?${query}`, Data });
};

/** A full page may be followed by another one. */
function toPage<Row, Entry>(
  { cursor }: LedgerQuery,
  response: PaystackResponse<readonly Row[]>,
  toEntry: (row: Row) => Entry,
): LedgerPage<Entry> {
  if (response.type !== "ok") return noAnswer;
  const isLast = response.data.length < entriesPerLedgerPage;
  const next = isLast ? null : String(Number(cursor ?? "1") + 1);
  return { type: "page", entries: response.data.map(toEntry), next };
}

const toListedCharge = ({
  reference,
  status,
  amount,
  currency,
}: z.infer<typeof TransactionList>[number]): ListedCharge => ({
  reference: fromPaystackReference(reference),
  state: chargeStates.get(status) ?? "other",
  ...toMoney(amount, currency),
});

const chargeStates: ReadonlyMap<string, ListedCharge["state"]> = new Map([
  ["success", "captured"],
  ["reversed", "returned"], // also the status of a refunded transaction
]);

const toListedRefund = ({
  id,
  merchant_note: note,
  transaction_reference: reference,
  status,
  amount,
  currency,
}: z.infer<typeof RefundLedger>[number]): ListedRefund => ({
  id: refundIdIn(note) ?? String(id),
  reference: reference == null ? null : fromPaystackReference(reference),
  state: refundStates.get(status) ?? "pending",
  ...toMoney(amount, currency),
});

const refundStates: ReadonlyMap<string, ListedRefund["state"]> = new Map([
  ["processed", "refunded"],
  ["failed", "failed"],
]);

function toMoney(subunits: number, currency: string) {
  const code = currency.toUpperCase();
  return { amountMinor: fromSubunits(subunits, code), currency: code };
}
