import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { conflict } from "../kernel/index.ts";
import type { Write } from "./client.ts";
import { commit } from "./commit.ts";
import type { ConstraintName, ConstraintRefusals } from "./constraint.ts";
import type { Context } from "./context.ts";
import { retryOnConflict } from "./retry.ts";

/**
 * The time of a record's next change (epoch ms). It is also the record's version, so it grows even
 * when the clock does not.
 */
export const nextUpdatedAt = (now: number, before: Readonly<{ updatedAt: number }>): number =>
  Math.max(now, before.updatedAt + 1);

/**
 * The new `updated_at` of a row, or null when the row changed or was archived since it was read.
 * The column is NOT NULL, so a change based on an outdated read fails its whole batch.
 */
export const updatedAtUnlessChanged = (
  { updatedAt, archivedAt }: { updatedAt: SQLiteColumn; archivedAt: SQLiteColumn },
  before: { updatedAt: number },
  after: { updatedAt: number },
): SQL =>
  sql`case when ${updatedAt} = ${before.updatedAt} and ${archivedAt} is null then ${after.updatedAt} end`;

type VersionedTable = ConstraintName extends infer N
  ? N extends `${infer Table}.updated_at`
    ? Table
    : never
  : never;

/** For `commit`: the retryable refusal of a write that `updatedAtUnlessChanged` guards. */
export const staleWriteRefusal = (table: VersionedTable, noun: string): ConstraintRefusals => ({
  [`${table}.updated_at`]: () =>
    conflict(`The ${noun} changed meanwhile; try again.`, { retryable: true }),
});

type Archivable = Readonly<{ updatedAt: number; archivedAt: number | null }>;

type ArchiveOptions<R> = Readonly<{
  repo: Readonly<{
    getEvenArchived: (id: string) => Promise<R>;
    archive: (record: R, at: number) => Write;
  }>;
  /** Writes of the same batch, such as a new catalogue version. */
  writes: readonly Write[];
  /** The audit entry's action. */
  action: string;
  /** The record as the audit entry shows it. */
  before: (record: R) => object;
  refusals: ConstraintRefusals;
}>;

/**
 * Archives a merchant's record for good. A repeat returns the archived record and writes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveRecord<R extends Archivable>(
  ctx: Context,
  id: string,
  { repo, writes, action, before, refusals }: ArchiveOptions<R>,
): Promise<R> {
  return retryOnConflict(async () => {
    const record = await repo.getEvenArchived(id);
    if (record.archivedAt !== null) return record;
    const archivedAt = nextUpdatedAt(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.archive(record, archivedAt), ...writes],
      audit: [{ action, entity: id, before: before(record) }],
      refusals,
    });
    return { ...record, updatedAt: archivedAt, archivedAt };
  });
}
