import { and, asc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { Write } from "../database/index.ts";
import type { UploadRepoContext } from "./context.ts";
import { uploads } from "./tables.ts";
import { type DeclaredFile, latestArrivalMs, maxUnfinishedUploads, type Upload } from "./upload.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** A row to insert. The other columns are empty at first. */
export type NewUploadRow = Pick<
  UploadRow,
  "id" | "visibility" | "sessionId" | "customerId" | "folderPath" | "path" | "createdAt"
> &
  Pick<UploadRow, "expiresAt" | "purgeAt"> &
  DeclaredFile;

type UploadIdempotencyKey = Readonly<{ caller: string; key: string }>;

const columns = getTableColumns(uploads);

const {
  businessId: _,
  visibility: __,
  caller: ___,
  idempotencyKey: ____,
  attempts: _____,
  purgeAt: ______,
  ...fileFields
} = columns;

/** The columns of an `Upload`. */
export const uploadFields = fileFields;

/** The uploads of one business. */
export function uploadRepo({ db, business }: UploadRepoContext) {
  const withId = (id: string, condition?: SQL) =>
    and(eq(uploads.id, id), sql`+${uploads.businessId} = ${business.id}`, condition);
  const withKey = ({ caller, key }: UploadIdempotencyKey) =>
    and(
      eq(uploads.businessId, business.id),
      eq(uploads.caller, caller),
      eq(uploads.idempotencyKey, key),
    );
  /**
   * Inserts the row. Inserts nothing when the Idempotency-Key exists, or when the session has too
   * many unfinished uploads.
   */
  const insertIfAllowed = (row: NewUploadRow, idempotencyKey: UploadIdempotencyKey | null) => {
    const values: Readonly<Record<string, string | number | null>> = {
      ...row,
      businessId: business.id,
      caller: idempotencyKey?.caller ?? null,
      idempotencyKey: idempotencyKey?.key ?? null,
      attempts: 0,
    };
    const columnValues = Object.keys(columns).map((name) => sql`${values[name] ?? null}`);
    const unfinished = unfinishedCountQuery(business, row.sessionId, row.createdAt);
    const isNew = idempotencyKey
      ? sql`not exists (select 1 from ${uploads} where ${withKey(idempotencyKey)})`
      : sql`true`;
    return db.insert(uploads).select(
      sql`select ${sql.join(columnValues, sql`, `)}
          where ${isNew} and (${unfinished}) < ${maxUnfinishedUploads}`,
    );
  };

  return {
    /**
     * Inserts an asset. The number of unfinished assets is not limited.
     *
     * @param attempts the number of attempts to send the bytes, each of which may leave an object.
     */
    insertAsset: (row: NewUploadRow, { attempts = 0 } = {}) =>
      db.insert(uploads).values({ ...row, attempts, businessId: business.id }),

    /** Inserts an upload. Returns false when the session has too many unfinished uploads. */
    async insertWithinLimit(row: NewUploadRow): Promise<boolean> {
      const inserted = await insertIfAllowed(row, null).returning({ id: uploads.id });
      return inserted.length > 0;
    },

    /**
     * Inserts an upload with its Idempotency-Key, or returns the upload that has the key. Returns
     * undefined when the session has too many unfinished uploads. One round trip.
     */
    async insertOnce(row: NewUploadRow, idempotencyKey: UploadIdempotencyKey, keyTtlMs: number) {
      const isExpired = sql`${uploads.createdAt} <= ${row.createdAt - keyTtlMs}`;
      const [, , [stored]] = await db.batch([
        db
          .update(uploads)
          .set({ caller: null, idempotencyKey: null })
          .where(and(withKey(idempotencyKey), isExpired)),
        insertIfAllowed(row, idempotencyKey),
        db
          .select(uploadFields)
          .from(uploads)
          .where(withKey(idempotencyKey))
          .orderBy(asc(uploads.createdAt), asc(uploads.id))
          .limit(1),
      ]);
      return stored;
    },

    /** Finds an upload of this session. Returns null for a deleted upload. */
    async findOfSession(id: string, sessionId: string) {
      const [row] = await db
        .select(uploadFields)
        .from(uploads)
        .where(withId(id, and(eq(uploads.sessionId, sessionId), isNull(uploads.deletedAt))));
      return row ?? null;
    },

    /** Finds a private upload that is confirmed and not deleted. */
    async findConfirmed(id: string): Promise<Upload | null> {
      const [row] = await db
        .select(uploadFields)
        .from(uploads)
        .where(
          withId(
            id,
            sql`${uploads.visibility} = 'private' and ${uploads.confirmedAt} is not null
              and ${uploads.deletedAt} is null`,
          ),
        );
      return row ?? null;
    },

    /**
     * Assigns the uploads that a guest made in this session to a customer. Does nothing when
     * another customer was logged in with the session before.
     *
     * @param customer a subquery in parentheses for the customer's id.
     * @param formerId the customer who was logged in with this session before, or null.
     */
    assignToCustomer: (
      customer: SQL,
      { sessionId, formerId }: Readonly<{ sessionId: string; formerId: string | null }>,
    ): Write =>
      db
        .update(uploads)
        .set({ customerId: customer })
        .where(
          and(
            eq(uploads.businessId, business.id),
            eq(uploads.sessionId, sessionId),
            isNull(uploads.customerId),
            isNull(uploads.deletedAt),
            formerId === null ? undefined : sql`${formerId} = ${customer}`,
          ),
        ),

    /**
     * Confirms a private upload. May be repeated. Returns false when the upload was deleted.
     *
     * @param customer a subquery in parentheses for the customer's id.
     */
    async confirm(
      id: string,
      { at, customer }: { at: number; customer: SQL | null },
    ): Promise<boolean> {
      const confirmed = await db
        .update(uploads)
        .set({
          confirmedAt: at,
          customerId: sql`coalesce(${uploads.customerId}, ${customer})`,
          purgeAt: purgeAtAfterConfirm,
        })
        .where(withId(id, isNull(uploads.deletedAt)))
        .returning({ id: uploads.id });
      return confirmed.length > 0;
    },
  };
}

/**
 * A query for the number of a session's unfinished uploads. Uploads without bytes stop counting
 * when their URL expires.
 */
export const unfinishedCountQuery = (
  business: Readonly<{ id: string }>,
  sessionId: string | null,
  now: number,
): SQL =>
  sql`select count(*) from ${uploads} as other where other.business_id = ${business.id}
    and other.session_id = ${sessionId} and other.confirmed_at is null and other.deleted_at is null
    and (other.received_attempt is not null or other.expires_at > ${now})`;

/**
 * SQL for the time of the next purge. Only after several attempts there are objects of failed
 * attempts to remove.
 */
export const purgeAtAfterConfirm = sql`case when ${uploads.attempts} > 1 then ${uploads.purgeAt} end`;

/**
 * The columns that mark an upload as deleted. The purge waits until no attempt can still be sending
 * bytes.
 */
export const deletionFields = (now: number) => ({
  deletedAt: now,
  purgeAt: sql`max(${now}, ${uploads.createdAt} + ${latestArrivalMs})`,
});
