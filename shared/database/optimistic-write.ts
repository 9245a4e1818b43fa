import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { conflict } from "../kernel/index.ts";
import type { Write } from "./client.ts";
import { commit } from "./commit.ts";
import type { ConstraintName, ConstraintRefusals } from "./constraint.ts";
import type { Context } from "./context.ts";
import { retryOnConflict } from "./retry.ts";

/**
 * The `updated_at` of a record's next change, in epoch milliseconds. It is also the record's
 * version, so it increases even when the clock does not.
 */
export const nextUpdatedAt = (now: number, before: Readonly<{ updatedAt: number }>): number =>
  Math.max(now, before.updatedAt + 1);

/**
 * The new `updated_at` of a row; null when the row was changed or archived since it was read. The
 * column is NOT NULL, so null makes the whole batch fail.
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

/** The retryable refusal for `commit` when `updatedAtUnlessChanged` fails the batch. */
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
  /** Further writes for the same batch, such as a new catalogue version. */
  writes: readonly Write[];
  /** The audit entry's action. */
  action: string;
  /** The record in the form that the audit entry stores. */
  before: (record: R) => object;
  refusals: ConstraintRefusals;
}>;

/**
 * Archives a merchant's record permanently. Archiving it again writes nothing and returns the
 * archived record.
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
