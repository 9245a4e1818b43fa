import { type AuditedChange, commit, type Write } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import type { MerchantContext } from "./context.ts";

/**
 * Changes CORE and leaves the audit entry, which is kept in the business's shard: no batch spans
 * two databases. The entry goes first. When CORE then fails, the caller reads the failure and the
 * log tells of one change too many; the other way round, a change could stand that nobody can trace.
 *
 * @throws Refusal CONFLICT when a write that returns the rows it changed changed none.
 */
export async function changeCore(
  ctx: MerchantContext,
  {
    writes: [first, ...rest],
    audit,
  }: { writes: readonly [Write, ...Write[]]; audit: AuditedChange },
): Promise<void> {
  await commit(ctx, { writes: [], audit: [audit] });
  const results: readonly unknown[] = await ctx.core.batch([first, ...rest]);
  if (results.some((changed) => Array.isArray(changed) && changed.length === 0)) {
    throw conflict("It changed meanwhile; read it again and retry.");
  }
}
