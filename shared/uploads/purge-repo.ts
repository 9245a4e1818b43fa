import { and, sql } from "drizzle-orm";
import { type Db, unfenced } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import { uploads } from "./tables.ts";
import { objectKey } from "./upload.ts";

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

/**
 * Takes up files that were abandoned, deleted or replaced, and those that left attempts behind. An
 * abandoned one is deleted in the same statement, so that nobody confirms what is about to go.
 */
export async function claimDueFiles(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<DueFile[]> {
  const rows = await db
    .update(uploads)
    .set({
      purgeAt: now + leaseMs,
      deletedAt: sql`case when ${uploads.confirmedAt} is null then coalesce(${uploads.deletedAt}, ${now}) else ${uploads.deletedAt} end`,
    })
    .where(
      sql`${uploads.id} in (select due.id from ${uploads} as due where due.purge_at is not null and due.purge_at <= ${now}
          and ${unfenced(sql`due.business_id`)}
        order by due.purge_at limit ${limit})`,
    )
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
