import { and, asc, eq, getTableColumns, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Write } from "../database/index.ts";
import type { UploadRepoContext } from "./context.ts";
import { uploads } from "./tables.ts";
import { type DeclaredFile, latestArrivalMs, maxUnfinishedUploads, type Upload } from "./upload.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** A row as it is first inserted. */
export type NewUploadRow = Pick<
  UploadRow,
  "id" | "visibility" | "sessionId" | "customerId" | "folderPath" | "path" | "createdAt"
> &
  Pick<UploadRow, "expiresAt" | "purgeAt"> &
  DeclaredFile;

export type UploadIdempotencyKey = Readonly<{
  caller: string;
  key: string;
  /** The caller under which the session's first call was stored, before it had a session. */
  sessionlessCaller: string | null;
}>;

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
  const withKey = (
    { caller, key, sessionlessCaller }: UploadIdempotencyKey,
    { sessionId }: NewUploadRow,
  ) =>
    and(
      eq(uploads.businessId, business.id),
      inArray(uploads.caller, [caller, sessionlessCaller ?? caller]),
      eq(uploads.idempotencyKey, key),
      or(eq(uploads.caller, caller), eq(uploads.sessionId, sessionId ?? "")),
    );
  /** Inserts the row unless its key exists or its session has too many unfinished uploads. */
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
      ? sql`not exists (select 1 from ${uploads} where ${withKey(idempotencyKey, row)})`
      : sql`true`;
    return db.insert(uploads).select(
      sql`select ${sql.join(columnValues, sql`, `)}
          where ${isNew} and (${unfinished}) < ${maxUnfinishedUploads}`,
    );
  };

  return {
    /** The row of an asset. Their number is not limited. */
    insertAsset: (row: NewUploadRow): Write =>
      db.insert(uploads).values({ ...row, businessId: business.id }),

    /** Returns false when the session has too many unfinished uploads. */
    async insertWithinLimit(row: NewUploadRow): Promise<boolean> {
      const inserted = await insertIfAllowed(row, null).returning({ id: uploads.id });
      return inserted.length > 0;
    },

    /**
     * Inserts the row under its Idempotency-Key, or returns the upload that has the key already.
     * Undefined when the session has too many unfinished uploads. One round trip.
     */
    async insertOnce(row: NewUploadRow, idempotencyKey: UploadIdempotencyKey, keyTtlMs: number) {
      const isExpired = sql`${uploads.createdAt} <= ${row.createdAt - keyTtlMs}`;
      const [, , [stored]] = await db.batch([
        db
          .update(uploads)
          .set({ caller: null, idempotencyKey: null })
          .where(and(withKey(idempotencyKey, row), isExpired)),
        insertIfAllowed(row, idempotencyKey),
        db
          .select(uploadFields)
          .from(uploads)
          .where(withKey(idempotencyKey, row))
          .orderBy(asc(uploads.createdAt), asc(uploads.id))
          .limit(1),
      ]);
      return stored;
    },

    /** Null for another session's upload and for a deleted one. */
    async findOfSession(id: string, sessionId: string) {
      const [row] = await db
        .select(uploadFields)
        .from(uploads)
        .where(withId(id, and(eq(uploads.sessionId, sessionId), isNull(uploads.deletedAt))));
      return row ?? null;
    },

    /** A confirmed private upload. */
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
     * Assigns the session's guest uploads to a customer, unless the session was another customer's.
     *
     * @param customer a query for the customer's id, in brackets.
     * @param formerId the customer who was logged in before with this session.
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
     * Confirms a private upload, also repeatedly. Returns false when it was deleted.
     *
     * @param customer a query for the customer's id, in brackets.
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
 * The number of a session's unfinished uploads. An upload whose URL expired without bytes does not
 * count.
 */
export const unfinishedCountQuery = (
  business: Readonly<{ id: string }>,
  sessionId: string | null,
  now: number,
): SQL =>
  sql`select count(*) from ${uploads} as other where other.business_id = ${business.id}
    and other.session_id = ${sessionId} and other.confirmed_at is null and other.deleted_at is null
    and (other.received_attempt is not null or other.expires_at > ${now})`;

/** After several attempts the objects of the failed ones are left to purge. */
export const purgeAtAfterConfirm = sql`case when ${uploads.attempts} > 1 then ${uploads.purgeAt} end`;

/** Marks an upload as deleted. Its objects are purged once no attempt can still be arriving. */
export const deletionFields = (now: number) => ({
  deletedAt: now,
  purgeAt: sql`max(${now}, ${uploads.createdAt} + ${latestArrivalMs})`,
});
