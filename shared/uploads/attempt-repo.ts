import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { UploadRepoContext } from "./context.ts";
import { uploads } from "./tables.ts";
import { maxUploadAttempts, type UploadRejection } from "./upload.ts";

export type StartedAttempt = Readonly<{ type: "started"; attempt: number }>;

/** Attempts to send the bytes of uploads. Each call is one round trip. */
export function attemptRepo({ db, business }: UploadRepoContext) {
  const withId = (id: string) =>
    and(eq(uploads.id, id), sql`+${uploads.businessId} = ${business.id}`);

  return {
    /** Counts a new attempt. Returns the reason when the upload accepts no more bytes. */
    async start(id: string, now: number): Promise<StartedAttempt | UploadRejection> {
      const [[started], [upload]] = await db.batch([
        db
          .update(uploads)
          .set({ attempts: sql`${uploads.attempts} + 1` })
          .where(
            and(
              withId(id),
              isNull(uploads.receivedAttempt),
              isNull(uploads.deletedAt),
              gt(uploads.expiresAt, now),
              lt(uploads.attempts, maxUploadAttempts),
            ),
          )
          .returning({ attempt: uploads.attempts }),
        db
          .select({
            receivedAttempt: uploads.receivedAttempt,
            deletedAt: uploads.deletedAt,
            expiresAt: uploads.expiresAt,
          })
          .from(uploads)
          .where(withId(id)),
      ]);
      if (started) return { type: "started", attempt: started.attempt };
      if (!upload || upload.deletedAt !== null || upload.expiresAt <= now) return "gone";
      return upload.receivedAttempt === null ? "too_many_attempts" : "already_received";
    },

    /**
     * Stores that this attempt's object is the file. Does nothing when another attempt completed
     * first, or when the upload was deleted. Safe to repeat.
     */
    async complete(
      id: string,
      { attempt, etag }: { attempt: number; etag: string },
    ): Promise<Exclude<UploadRejection, "too_many_attempts"> | null> {
      const isFirst = or(isNull(uploads.receivedAttempt), eq(uploads.receivedAttempt, attempt));
      const [[completed], [upload]] = await db.batch([
        db
          .update(uploads)
          .set({ receivedAttempt: attempt, etag })
          .where(and(withId(id), isFirst, isNull(uploads.deletedAt)))
          .returning({ id: uploads.id }),
        db.select({ deletedAt: uploads.deletedAt }).from(uploads).where(withId(id)),
      ]);
      if (completed) return null;
      return upload?.deletedAt === null ? "already_received" : "gone";
    },
  };
}
