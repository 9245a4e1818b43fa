import { type AuditedChange, commit, type Write } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import type { MerchantContext } from "./context.ts";

/**
 * Writes to CORE and inserts the audit entry in the business's shard; no batch spans two databases.
 * The entry is written first: if CORE then fails, the log has one entry too many, but no change is
 * without an entry.
 *
 * @throws Refusal CONFLICT when a write with `returning` changed no row.
 */
export async function commitToCore(
  ctx: MerchantContext,
  {
    writes: [first, ...others],
    audit,
  }: { writes: readonly [Write, ...Write[]]; audit: AuditedChange },
): Promise<void> {
  await commit(ctx, { writes: [], audit: [audit] });
  const results: readonly unknown[] = await ctx.core.batch([first, ...others]);
  if (results.some((rows) => Array.isArray(rows) && rows.length === 0)) {
    throw conflict("It changed meanwhile; read it again and retry.");
  }
}
