import {
  type AuditedChange,
  type ConstraintRefusals,
  type Context,
  commit,
  type Db,
  findFailedConstraint,
  type Write,
} from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import type { Business } from "./business.ts";

/** A context with the business's settings and locations. */
export type ShopContext = Context & Readonly<{ business: Business }>;

/** A context that can also write CORE, which stores the business, its keys and its locations. */
export type MerchantContext = ShopContext & Readonly<{ core: Db }>;

/** The operator's context: CORE, and a way to open the context of any business. */
export type OperatorContext = Readonly<{
  core: Db;
  contextFor: (business: Business) => ShopContext;
}>;

/**
 * Writes to CORE and inserts the audit entry in the business's shard. No batch spans two databases,
 * so the audit entry is written first. A change is never without an entry, but when CORE fails the
 * log has an entry without a change.
 *
 * @throws Refusal CONFLICT when a write with `returning` changed no row.
 */
export async function commitToCore(
  ctx: MerchantContext,
  {
    writes: [first, ...others],
    audit,
    refusals = {},
  }: {
    writes: readonly [Write, ...Write[]];
    audit: AuditedChange;
    refusals?: ConstraintRefusals;
  },
): Promise<void> {
  await commit(ctx, { writes: [], audit: [audit] });
  const results: readonly unknown[] = await ctx.core
    .batch([first, ...others])
    .catch((error: unknown) => {
      const constraint = findFailedConstraint(error);
      throw (constraint && refusals[constraint]?.()) ?? error;
    });
  if (results.some((rows) => Array.isArray(rows) && rows.length === 0)) {
    throw conflict("It changed meanwhile; read it again and retry.");
  }
}
