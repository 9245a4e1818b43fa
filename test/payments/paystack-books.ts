import { vi } from "vitest";
import { failure, success } from "./paystack-stub.ts";

type Transaction = {
  reference: string;
  status: string;
  amount: number;
  createdAt: number;
};

type PaidRefund = {
  id: number;
  reference: string;
  amount: number;
  note: string | null;
  createdAt: number;
};

/**
 * A Paystack whose account a test writes, in place of the global fetch. Charges wait for the phone
 * until the test changes their status. `silentPaths` are not answered.
 */
export function createPaystackBooks() {
  const transactions: Transaction[] = [];
  const refunds: PaidRefund[] = [];
  const silentPaths = new Set<string>();
  const calls: string[] = [];
  let isCapturing = false;

  const find = (reference: string) => transactions.find((one) => one.reference === reference);
  const idOf = (reference: string) =>
    transactions.findIndex((one) => one.reference === reference) + 1;
  const transactionView = (one: Transaction) => ({
    ...{ ...one, id: idOf(one.reference) },
    ...{ currency: "GHS", channel: "card" },
  });
  const refundView = ({ note, reference, ...refund }: PaidRefund) => ({
    ...{ ...refund, currency: "GHS", status: "processed" },
    ...{ merchant_note: note, transaction_reference: reference },
  });

  function listPage<T extends { createdAt: number }>(
    entries: readonly T[],
    query: URLSearchParams,
  ) {
    const time = (name: string) => Date.parse(query.get(name) ?? "");
    const size = Number(query.get("perPage"));
    const first = (Number(query.get("page")) - 1) * size;
    const isListed = ({ createdAt }: T) => createdAt >= time("from") && createdAt <= time("to");
    return entries.filter(isListed).slice(first, first + size);
  }

  function addCharge(body: Record<string, unknown>) {
    const reference = String(body.reference);
    const amount = Number(body.amount);
    const status = isCapturing ? "success" : "ongoing";
    transactions.push({ reference, status, amount, createdAt: Date.now() });
    return success({
      ...{ reference, amount, currency: "GHS" },
      status: isCapturing ? "success" : "pay_offline",
    });
  }

  function addRefund(body: Record<string, unknown>) {
    const refund = {
      id: refunds.length + 1,
      reference: String(body.transaction),
      amount: Number(body.amount),
      note: String(body.merchant_note),
      createdAt: Date.now(),
    };
    refunds.push(refund);
    return success(refundView(refund));
  }

  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname, search, searchParams: query } = new URL(String(input));
    const call = `${init?.method} ${pathname}`;
    calls.push(`${call}${search}`);
    if ([...silentPaths].some((path) => `${call}${search}`.includes(path)))
      return new Response("", { status: 504 });
    if (init?.method === "POST") {
      const body = Object(JSON.parse(String(init.body)));
      return pathname === "/refund" ? addRefund(body) : addCharge(body);
    }
    if (pathname === "/transaction")
      return success(listPage(transactions, query).map(transactionView));
    if (pathname === "/refund") {
      const of = query.get("transaction");
      return success(
        of === null
          ? listPage(refunds, query).map(refundView)
          : refunds.filter(({ reference }) => idOf(reference) === Number(of)).map(refundView),
      );
    }
    const found = find(pathname.split("/").at(-1) ?? "");
    return found ? success(transactionView(found)) : failure("Transaction reference not found");
  });
  const captureAtOnce = () => {
    isCapturing = true;
  };
  return { transactions, refunds, silentPaths, calls, captureAtOnce };
}
