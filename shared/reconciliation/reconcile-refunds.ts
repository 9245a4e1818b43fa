import {
  findKnownRefunds,
  hastenRefunds,
  listSettledRefunds,
  type SettledRefund,
} from "../payments/index.ts";
import type { LedgerAccount, ReconciliationContext } from "./context.ts";
import { compareRefund, type FoundDifference, ownerAndAmountOf } from "./difference.ts";
import {
  nextShardCursor,
  type PageResult,
  parseShardCursor,
  type ReconciliationPosition,
} from "./position.ts";
import { saveDifferences } from "./save-differences.ts";

/** So few that a slow provider answers for all of them within a run. */
const ownRefundsPerPage = 6;

/**
 * Compares a page of the provider's refunds with ours. The refund job settles pending ones that the
 * provider has paid out.
 */
export async function reconcileRefunds(
  ctx: ReconciliationContext,
  account: LedgerAccount,
  position: ReconciliationPosition,
): Promise<PageResult> {
  const page = await account.ledger.listRefunds(position);
  if (page.type === "no_answer") return page;
  const ids = page.entries.map(({ id }) => id);
  const perShard = await Promise.all(
    account.shards.map((shard) => findKnownRefunds(ctx.dbFor(shard), account, ids)),
  );
  const known = new Map(perShard.flat().map((refund) => [refund.id, refund]));
  const findings = page.entries.map((refund) => compareRefund(refund, known.get(refund.id)));
  const differences = findings.flatMap((one) => (one.type === "differs" ? [one.difference] : []));
  const paidOut = findings.flatMap((one) => (one.type === "paid_out" ? [one.refundId] : []));
  await Promise.all(
    account.shards.map((shard) => hastenRefunds(ctx.dbFor(shard), paidOut, ctx.now())),
  );
  await saveDifferences(ctx, account, differences);
  return { type: "done", next: page.next, recorded: 0 };
}

/** Asks the provider about our refunds that were settled in the run's time, shard by shard. */
export async function checkOwnRefunds(
  ctx: ReconciliationContext,
  account: LedgerAccount,
  { from, to, cursor }: ReconciliationPosition,
): Promise<PageResult> {
  const { shardIndex, after } = parseShardCursor(cursor);
  const shard = account.shards[shardIndex];
  if (shard === undefined) return { type: "done", next: null, recorded: 0 };
  const refunds = await listSettledRefunds(ctx.dbFor(shard), {
    ...{ provider: account.provider, businessId: account.businessId, from, to, after },
    limit: ownRefundsPerPage,
  });
  const differences: FoundDifference[] = [];
  for (const refund of refunds) {
    const count = await account.ledger.countRefunds(refund);
    if (count === "no_answer") return { type: "no_answer" };
    if (count !== 1) differences.push(miscountedRefund(refund, count));
  }
  await saveDifferences(ctx, account, differences);
  const next = nextShardCursor(shardIndex, refunds, ownRefundsPerPage);
  return { type: "done", next, recorded: 0 };
}

/** A refund of ours that the provider does not have, or has made several times. */
const miscountedRefund = (refund: SettledRefund, count: number): FoundDifference => ({
  kind: count === 0 ? "missing_refund" : "refund_differs",
  entry: refund.id,
  reference: refund.reference,
  ...ownerAndAmountOf(refund),
  reported:
    count === 0 ? null : { amountMinor: count * refund.amountMinor, currency: refund.currency },
});
