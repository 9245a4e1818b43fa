import { orderRepo, tryVerifyPayment } from "../orders/index.ts";
import { findKnownCharges, isSettled, type KnownCharge, markListed } from "../payments/index.ts";
import type { LedgerAccount, ReconciliationContext } from "./context.ts";
import { compareCharge, type FoundDifference } from "./difference.ts";
import { maxPageAttempts, type PageResult, type ReconciliationPosition } from "./position.ts";
import { saveDifferences } from "./save-differences.ts";

type Unrecorded = Readonly<{ known: KnownCharge; difference: FoundDifference }>;

/** Compares a page of the provider's charges with our payments, and records missing captures. */
export async function reconcileCharges(
  ctx: ReconciliationContext,
  account: LedgerAccount,
  position: ReconciliationPosition,
): Promise<PageResult> {
  const page = await account.ledger.listCharges(position);
  if (page.type === "no_answer") return page;
  const references = page.entries.map(({ reference }) => reference);
  const perShard = await Promise.all(
    account.shards.map((shard) => findKnownCharges(ctx.dbFor(shard), account, references)),
  );
  const known = new Map(perShard.flat().map((charge) => [charge.reference, charge]));
  const findings = page.entries.map((charge) => compareCharge(charge, known.get(charge.reference)));
  const differences = findings.flatMap((one) => (one.type === "differs" ? [one.difference] : []));
  const unrecorded = findings.filter((one) => one.type === "unrecorded");
  const { failed, hasNoAnswer } = await recordCaptures(ctx, unrecorded);
  const mayRetry = hasNoAnswer && position.attempts < maxPageAttempts;
  const settled = [...known.values()].filter((charge) => charge.isCurrent && isSettled(charge));
  const listed = settled.map(({ reference }) => reference);
  await Promise.all(account.shards.map((shard) => markListed(ctx.dbFor(shard), listed, ctx.now())));
  await saveDifferences(ctx, account, mayRetry ? differences : [...differences, ...failed]);
  if (mayRetry) return { type: "no_answer" };
  return { type: "done", next: page.next, recorded: unrecorded.length };
}

/** Records captures one by one; returns those that could not be recorded. */
async function recordCaptures(ctx: ReconciliationContext, unrecorded: readonly Unrecorded[]) {
  const contexts = await ctx.loadOrderContexts(unrecorded.map(({ known }) => known.businessId));
  const failed: FoundDifference[] = [];
  let hasNoAnswer = false;
  for (const { known, difference } of unrecorded) {
    const orderContext = contexts.get(known.businessId);
    if (!orderContext) continue; // the business was deleted
    const outcome = await recordCapture(ctx, orderContext, known);
    if (outcome !== "recorded") failed.push(difference);
    hasNoAnswer ||= outcome === "no_answer";
  }
  return { failed, hasNoAnswer };
}

/**
 * Asks the provider about one charge and records its capture, as a webhook would: an open order is
 * paid by it, and it is refunded when the order has ended or was paid by another charge. An error
 * counts as no answer, so that it is tried again.
 */
async function recordCapture(
  { reportFailure }: ReconciliationContext,
  ctx: Parameters<typeof tryVerifyPayment>[0],
  { reference, orderId }: KnownCharge,
): Promise<"recorded" | "not_recorded" | "no_answer"> {
  try {
    const details = await orderRepo(ctx).get(orderId);
    const verified = await tryVerifyPayment(ctx, details, { reference });
    if (verified === "no_answer") return verified;
    const { payment, refunds } = verified;
    const isPaidBy = isSettled(payment) && payment.reference === reference;
    const isRefunded = refunds.some((refund) => refund.reference === reference);
    return isPaidBy || isRefunded ? "recorded" : "not_recorded";
  } catch (error) {
    reportFailure({ order: orderId }, error);
    return "no_answer";
  }
}
