import { and, type SQL, sql } from "drizzle-orm";
import { type Db, isUnfenced } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import { guestFileCondition, uploads } from "./tables.ts";
import { guestFileTtlMs, objectKey } from "./upload.ts";

/** A run that has not finished by then is considered dead. */
const leaseMs = 5 * minute;

/** A file with objects to remove. */
export type DueFile = Readonly<{
  id: string;
  businessId: string;
  attempts: number;
  /** The attempt whose object is the file; null when the file is deleted. */
  retainedAttempt: number | null;
}>;

type DueRange = Readonly<{ now: number; limit: number }>;

/**
 * Claims abandoned, deleted, replaced and expired guest files, and files with failed attempts. The
 * same statement marks files that are to be removed as deleted, so that none is confirmed meanwhile.
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

/** The ids of due files, in the order of the indexes that find them. */
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

/** The keys of all objects that the files may have and do not need. */
export const removableObjectKeys = (files: readonly DueFile[]): string[] =>
  files.flatMap(({ id, businessId, attempts, retainedAttempt }) =>
    Array.from({ length: attempts }, (_, index) => index + 1)
      .filter((attempt) => attempt !== retainedAttempt)
      .map((attempt) => objectKey({ id: businessId }, { id }, attempt)),
  );

/**
 * Deletes or settles the rows of files whose objects are removed. A file that was deleted meanwhile
 * is left to a later run.
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
