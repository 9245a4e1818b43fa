import { and, type SQL, sql } from "drizzle-orm";
import { type Db, type DueRows, isUnfenced } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import type { FileStore } from "./file-store.ts";
import { guestFileCondition, uploads } from "./tables.ts";
import { guestFileTtlMs, objectKey, objectKeyPrefix } from "./upload.ts";

/** How long a run may work on the files that it has claimed. After that they are due again. */
const leaseMs = 5 * minute;

/** A file for which the purge has R2 objects to remove. */
export type DueFile = Readonly<{
  id: string;
  businessId: string;
  attempts: number;
  /**
   * The attempt whose object is kept as the file. Null when the file is deleted and no object is
   * kept.
   */
  retainedAttempt: number | null;
}>;

type DueRange = Readonly<{ now: number; limit: number }>;

/** The files that `claimDueFiles` claims. */
export const dueFiles: readonly DueRows[] = [
  { table: uploads, since: uploads.purgeAt, businessId: uploads.businessId },
  {
    table: uploads,
    since: uploads.confirmedAt,
    afterMs: guestFileTtlMs,
    condition: guestFileCondition,
    businessId: uploads.businessId,
  },
];

/**
 * Claims files with objects to remove: deleted, replaced and unconfirmed files, expired files of
 * guests, and files with failed attempts. Also marks expired files as deleted, so that nobody
 * confirms them during the purge.
 */
export async function claimDueFiles(db: Db, { now, limit }: DueRange): Promise<DueFile[]> {
  const isExpired = sql`${uploads.confirmedAt} is null or (${guestFileCondition} and ${guestFileExpired(now)})`;
  const rows = await db
    .update(uploads)
    .set({
      purgeAt: now + leaseMs,
      deletedAt: sql`coalesce(${uploads.deletedAt}, case when ${isExpired} then ${now} end)`,
    })
    .where(sql`${uploads.id} in (${dueFilesQuery(db, { now, limit })})`)
    .returning({
      id: uploads.id,
      businessId: uploads.businessId,
      attempts: uploads.attempts,
      receivedAttempt: uploads.receivedAttempt,
      deletedAt: uploads.deletedAt,
    });
  return rows.map(({ receivedAttempt, deletedAt, ...row }) => ({
    ...row,
    retainedAttempt: deletedAt === null ? receivedAttempt : null,
  }));
}

const guestFileExpired = (now: number): SQL => sql`confirmed_at <= ${now - guestFileTtlMs}`;

/** A query for the ids of due files. Each of its two parts is read in the order of an index. */
export const dueFilesQuery = (db: Db, { now, limit }: DueRange) => {
  const due = (condition: SQL, order: SQL) =>
    sql`select id from (select due.id from ${uploads} as due where ${condition}
      and ${isUnfenced(sql`due.business_id`)} order by ${order} limit ${limit})`;
  return db
    .select({ id: sql<string>`found.id` })
    .from(
      sql`(${due(sql`purge_at is not null and purge_at <= ${now}`, sql`purge_at`)}
        union all ${due(sql`${guestFileCondition} and ${guestFileExpired(now)}`, sql`confirmed_at`)}) as found`,
    )
    .limit(limit);
};

/** The keys of all R2 objects that these files may have, except the objects to keep. */
export const removableObjectKeys = (files: readonly DueFile[]): string[] =>
  files.flatMap(({ id, businessId, attempts, retainedAttempt }) =>
    Array.from({ length: attempts }, (_, index) => index + 1)
      .filter((attempt) => attempt !== retainedAttempt)
      .map((attempt) => objectKey({ id: businessId }, { id }, attempt)),
  );

/** R2 lists and deletes at most 1,000 objects in one call. */
const maxObjectsPerCall = 1_000;

/** Deletes one page of a business's objects; returns whether none was left. */
export async function deleteFilesOfBusiness(
  files: Pick<FileStore, "list" | "delete">,
  businessId: string,
): Promise<boolean> {
  const prefix = objectKeyPrefix({ id: businessId });
  const { objects } = await files.list({ prefix, limit: maxObjectsPerCall });
  if (objects.length === 0) return true;
  await files.delete(objects.map(({ key }) => key));
  return false;
}

/**
 * Records that the objects of these files are removed: deletes the rows of deleted files and clears
 * `purge_at` of the others. A file that was deleted meanwhile is left to a later run.
 */
export async function recordPurged(db: Db, files: readonly DueFile[]): Promise<void> {
  const [removed, retained] = [true, false].map((isRemoved) => {
    const matching = files.filter(
      ({ retainedAttempt }) => (retainedAttempt === null) === isRemoved,
    );
    return sql`${uploads.id} in (select value from json_each(${JSON.stringify(matching.map(({ id }) => id))}))`;
  });
  await db.batch([
    db.delete(uploads).where(and(removed, sql`${uploads.deletedAt} is not null`)),
    db
      .update(uploads)
      .set({ purgeAt: null })
      .where(and(retained, sql`${uploads.deletedAt} is null`)),
  ]);
}
