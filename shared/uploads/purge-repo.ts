import { and, type SQL, sql } from "drizzle-orm";
import { type Db, unfenced } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import { leftByGuest, uploads } from "./tables.ts";
import { guestFileLifeMs, objectKey } from "./upload.ts";

/** A run that has not cleared away by then is taken for dead. */
const leaseMs = 5 * minute;

/** A file whose objects, or some of them, nobody needs. */
export type DueFile = Readonly<{
  id: string;
  businessId: string;
  attempts: number;
  /** The attempt whose object is the file, while the file stands. */
  keptAttempt: number | null;
}>;

type Range = Readonly<{ now: number; limit: number }>;

/**
 * Takes up files that were abandoned, deleted or replaced, those that guests left too long ago, and
 * those that left attempts behind. What is about to go, and was not deleted, is so by the same
 * statement, so that nobody confirms it, and no customer gets it.
 */
export async function claimDueFiles(db: Db, { now, limit }: Range): Promise<DueFile[]> {
  const isGone = sql`${uploads.confirmedAt} is null or (${leftByGuest} and ${confirmedTooLongAgo(now)})`;
  const rows = await db
    .update(uploads)
    .set({
      purgeAt: now + leaseMs,
      deletedAt: sql`coalesce(${uploads.deletedAt}, case when ${isGone} then ${now} end)`,
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
    keptAttempt: deletedAt === null ? receivedAttempt : null,
  }));
}

const confirmedTooLongAgo = (now: number): SQL => sql`confirmed_at <= ${now - guestFileLifeMs}`;

/** The ids of files whose time has come, in the order of the indexes that find them. */
export const dueFilesQuery = (db: Db, { now, limit }: Range) => {
  const due = (is: SQL, order: SQL) =>
    sql`select id from (select due.id from ${uploads} as due where ${is}
      and ${unfenced(sql`due.business_id`)} order by ${order} limit ${limit})`;
  return db
    .select({ id: sql<string>`found.id` })
    .from(
      sql`(${due(sql`purge_at is not null and purge_at <= ${now}`, sql`purge_at`)}
        union all ${due(sql`${leftByGuest} and ${confirmedTooLongAgo(now)}`, sql`confirmed_at`)}) as found`,
    )
    .limit(limit);
};

/** Every object that the files may have left and do not need; of some there never was one. */
export const objectsToRemove = (files: readonly DueFile[]): string[] =>
  files.flatMap(({ id, businessId, attempts, keptAttempt }) =>
    Array.from({ length: attempts }, (_, index) => index + 1)
      .filter((attempt) => attempt !== keptAttempt)
      .map((attempt) => objectKey({ id: businessId }, { id }, attempt)),
  );

/** Forgets files whose objects are gone. One that was deleted while they went waits for its own turn. */
export async function forgetFiles(db: Db, files: readonly DueFile[]): Promise<void> {
  const [gone, kept] = [true, false].map((isGone) => {
    const ids = files.filter(({ keptAttempt }) => (keptAttempt === null) === isGone);
    return sql`${uploads.id} in (select value from json_each(${JSON.stringify(ids.map(({ id }) => id))}))`;
  });
  await db.batch([
    db.delete(uploads).where(and(gone, sql`${uploads.deletedAt} is not null`)),
    db
      .update(uploads)
      .set({ purgeAt: null })
      .where(and(kept, sql`${uploads.deletedAt} is null`)),
  ]);
}
