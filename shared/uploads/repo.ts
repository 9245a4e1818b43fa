import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import { uploads } from "./tables.ts";
import {
  arrivedByMs,
  type DeclaredFile,
  maxAttempts,
  maxUnfinished,
  type Refused,
  type Upload,
} from "./upload.ts";

export type Row = typeof uploads.$inferSelect;

/** A row before anything has happened to it. */
export type NewRow = Pick<
  Row,
  "id" | "visibility" | "sessionId" | "customerId" | "folderPath" | "path" | "createdAt"
> &
  Pick<Row, "expiresAt" | "purgeAt"> &
  DeclaredFile;

/** Whose Idempotency-Key it is, and the key. */
export type RepeatKey = Readonly<{
  caller: string;
  key: string;
  /** Under which caller the session's first call is kept, which had no session yet. */
  firstCaller: string | null;
}>;

export type Begun = Readonly<{ type: "begun"; attempt: number }>;

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

/** What is read of a row, whoever it is for. */
export const uploadFields = fileFields;

type Scope = Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>;

/** The files of one business, private and public: there is no way to ask for another's. */
export function uploadRepo({ db, business }: Scope) {
  const own = (id: string, more?: SQL) =>
    and(eq(uploads.id, id), sql`+${uploads.businessId} = ${business.id}`, more);
  const withKey = ({ caller, key, firstCaller }: RepeatKey, { sessionId }: NewRow) =>
    and(
      eq(uploads.businessId, business.id),
      inArray(uploads.caller, [caller, firstCaller ?? caller]),
      eq(uploads.idempotencyKey, key),
      or(eq(uploads.caller, caller), eq(uploads.sessionId, sessionId ?? "")),
    );
  /** A statement that writes the row, unless it is a repeat's or its session has too many unfinished. */
  const insertIfRoom = (row: NewRow, repeat: RepeatKey | null) => {
    const values: Readonly<Record<string, string | number | null>> = {
      ...row,
      businessId: business.id,
      caller: repeat?.caller ?? null,
      idempotencyKey: repeat?.key ?? null,
      attempts: 0,
    };
    const listed = Object.keys(columns).map((name) => sql`${values[name] ?? null}`);
    const unfinished = unfinishedQuery(business, row.sessionId, row.createdAt);
    const isNew = repeat
      ? sql`not exists (select 1 from ${uploads} where ${withKey(repeat, row)})`
      : sql`true`;
    return db
      .insert(uploads)
      .select(
        sql`select ${sql.join(listed, sql`, `)} where ${isNew} and (${unfinished}) < ${maxUnfinished}`,
      );
  };

  return {
    /** An asset's place, of which a deploy key may have any number. */
    insert: (row: NewRow): Write => db.insert(uploads).values({ ...row, businessId: business.id }),

    /** One round trip: keeps the row; false where its session has too many unfinished. */
    async insertPrivate(row: NewRow): Promise<boolean> {
      const kept = await insertIfRoom(row, null).returning({ id: uploads.id });
      return kept.length > 0;
    },

    /**
     * One round trip: keeps the row under its key, which one that is outdated gives up, and answers
     * with the first that stands there: of two requests at once both get the first's. Undefined
     * where none does, and the row's session has too many unfinished.
     */
    async insertOnce(row: NewRow, repeat: RepeatKey, keptMs: number) {
      const [, , [standing]] = await db.batch([
        db
          .update(uploads)
          .set({ caller: null, idempotencyKey: null })
          .where(and(withKey(repeat, row), sql`${uploads.createdAt} <= ${row.createdAt - keptMs}`)),
        insertIfRoom(row, repeat),
        db
          .select(uploadFields)
          .from(uploads)
          .where(withKey(repeat, row))
          .orderBy(asc(uploads.createdAt), asc(uploads.id))
          .limit(1),
      ]);
      return standing;
    },

    /** A session's own; null for another's, and for one that is gone. */
    async findOfSession(id: string, sessionId: string) {
      const [row] = await db
        .select(uploadFields)
        .from(uploads)
        .where(own(id, and(eq(uploads.sessionId, sessionId), isNull(uploads.deletedAt))));
      return row ?? null;
    },

    /** A private one that was confirmed. */
    async findPrivate(id: string): Promise<Upload | null> {
      const [row] = await db
        .select(uploadFields)
        .from(uploads)
        .where(
          own(
            id,
            sql`${uploads.visibility} = 'private' and ${uploads.confirmedAt} is not null
              and ${uploads.deletedAt} is null`,
          ),
        );
      return row ?? null;
    },

    /** One round trip: counts an attempt at sending the bytes, or tells why none may begin. */
    async begin(id: string, now: number): Promise<Begun | Refused> {
      const [[begun], [standing]] = await db.batch([
        db
          .update(uploads)
          .set({ attempts: sql`${uploads.attempts} + 1` })
          .where(
            own(
              id,
              and(
                isNull(uploads.receivedAttempt),
                isNull(uploads.deletedAt),
                gt(uploads.expiresAt, now),
                lt(uploads.attempts, maxAttempts),
              ),
            ),
          )
          .returning({ attempt: uploads.attempts }),
        db.select(uploadFields).from(uploads).where(own(id)),
      ]);
      if (begun) return { type: "begun", attempt: begun.attempt };
      if (!standing || standing.deletedAt !== null || standing.expiresAt <= now) return "gone";
      return standing.receivedAttempt === null ? "too_many_attempts" : "finished";
    },

    /**
     * One round trip: makes an attempt's bytes the file, unless another's came first or the file is
     * gone. Of several attempts one gets null, however often it asks.
     */
    async finish(
      id: string,
      { attempt, etag }: { attempt: number; etag: string },
    ): Promise<Exclude<Refused, "too_many_attempts"> | null> {
      const isFree = or(isNull(uploads.receivedAttempt), eq(uploads.receivedAttempt, attempt));
      const [[finished], [standing]] = await db.batch([
        db
          .update(uploads)
          .set({ receivedAttempt: attempt, etag })
          .where(own(id, and(isFree, isNull(uploads.deletedAt))))
          .returning({ id: uploads.id }),
        db.select({ deletedAt: uploads.deletedAt }).from(uploads).where(own(id)),
      ]);
      if (finished) return null;
      return standing?.deletedAt === null ? "finished" : "gone";
    },

    /**
     * What a session's guest sent becomes a customer's: `customer` is a query for their id, in
     * brackets. Where the session was somebody's before (`formerId`), only theirs.
     */
    giveTo: (
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

    /** Confirms a private one, of the customer whom a query in brackets finds, or confirms it anew. False when it is gone by now. */
    async confirm(
      id: string,
      { at, customer }: { at: number; customer: SQL | null },
    ): Promise<boolean> {
      const confirmed = await db
        .update(uploads)
        .set({
          confirmedAt: at,
          customerId: sql`coalesce(${uploads.customerId}, ${customer})`,
          purgeAt: onlyStrays,
        })
        .where(own(id, isNull(uploads.deletedAt)))
        .returning({ id: uploads.id });
      return confirmed.length > 0;
    },
  };
}

/**
 * How many files of a session are unfinished: bytes may still come to them, or wait to be confirmed.
 * One whose address ran out without them keeps nobody from anything.
 */
export const unfinishedQuery = (
  business: Readonly<{ id: string }>,
  sessionId: string | null,
  now: number,
): SQL =>
  sql`select count(*) from ${uploads} as other where other.business_id = ${business.id}
    and other.session_id = ${sessionId} and other.confirmed_at is null and other.deleted_at is null
    and (other.received_attempt is not null or other.expires_at > ${now})`;

/** What a confirmed file leaves to the sweep: objects of attempts that did not come through. */
export const onlyStrays = sql`case when ${uploads.attempts} > 1 then ${uploads.purgeAt} end`;

/** A file's end: at once for everybody, its bytes when none can be on their way any more. */
export const deletedAt = (now: number) => ({
  deletedAt: now,
  purgeAt: sql`max(${now}, ${uploads.createdAt} + ${arrivedByMs})`,
});
