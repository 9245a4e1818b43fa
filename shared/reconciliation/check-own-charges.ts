import { findKnownCharges, listUnlistedCharges, markListed } from "../payments/index.ts";
import type { LedgerAccount, ReconciliationContext } from "./context.ts";
import { compareCharge, type FoundDifference, missingCharge } from "./difference.ts";
import {
  nextShardCursor,
  type PageResult,
  parseShardCursor,
  type ReconciliationPosition,
} from "./position.ts";
import { saveDifferences } from "./save-differences.ts";

/** Each takes a call of the provider. There are few, because most charges were just listed. */
const chargesPerPage = 6;

/**
 * Asks the provider about our captures of the run's time that its list did not contain, shard by
 * shard. One that it does not know either is a difference.
 */
export async function checkOwnCharges(
  ctx: ReconciliationContext,
  account: LedgerAccount,
  { from, to, cursor }: ReconciliationPosition,
): Promise<PageResult> {
  const { shardIndex, after } = parseShardCursor(cursor);
  const shard = account.shards[shardIndex];
  if (shard === undefined) return { type: "done", next: null, recorded: 0 };
  const db = ctx.dbFor(shard);
  const unlisted = await listUnlistedCharges(db, {
    ...{ provider: account.provider, businessId: account.businessId, from, to, after },
    limit: chargesPerPage,
  });
  const known = await findKnownCharges(
    db,
    account,
    unlisted.map(({ reference }) => reference),
  );
  const differences: FoundDifference[] = [];
  const confirmed: string[] = [];
  for (const charge of known) {
    const found = await account.ledger.findCharge(charge.reference);
    if (found === "no_answer") return { type: "no_answer" };
    const finding = found && compareCharge(found, charge);
    if (finding === null) differences.push(missingCharge(charge));
    else if (finding.type === "differs") differences.push(finding.difference);
    else confirmed.push(charge.reference);
  }
  await markListed(db, confirmed, ctx.now());
  await saveDifferences(ctx, account, differences);
  return { type: "done", next: nextShardCursor(shardIndex, unlisted, chargesPerPage), recorded: 0 };
}
