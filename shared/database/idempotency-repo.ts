import { and, eq, isNull, sql } from "drizzle-orm";
import { day, minute } from "../kernel/index.ts";
import type { Db, IdempotencyMark, Write } from "./client.ts";
import { isUnfenced } from "./conditions.ts";
import { findFailedConstraint } from "./constraint.ts";
import type { DueRows } from "./due-rows.ts";
import type { DataSubject, PersonalDataContext } from "./personal-data.ts";
import { idempotencyKeys } from "./tables.ts";

const idempotencyRecordTtlMs = day;
/**
 * A run that has stored no response for this long counts as crashed, and another run may take over.
 */
const runLeaseMs = minute;

/**
 * Identifies an idempotency record. The same key from another caller or on another route is another
 * record.
 */
export type IdempotencyRecordKey = Readonly<{
  businessId: string;
  caller: string;
  route: string;
  key: string;
}>;

type StoredResponse = Readonly<{
  status: number;
  body: string;
  /** The customers and orders that the response is about. */
  subjectIds: readonly string[];
  /** The digest of the request's file. Null for a request without one. */
  contentDigest: string | null;
}>;

export type ClaimResult =
  | Readonly<{ type: "claimed"; leaseUntil: number }>
  | IdempotencyRecordState;

/** The state of a record that cannot be claimed. */
export type IdempotencyRecordState =
  | Readonly<{ type: "responded" } & Pick<StoredResponse, "status" | "body" | "contentDigest">>
  | Readonly<{ type: "running" }>
  /** The change of the request was committed, but no response was stored. */
  | Readonly<{ type: "committed" }>
  | Readonly<{ type: "different_request" }>;

/**
 * The body of a record whose change was committed and whose response is not stored yet (`mark`).
 */
const committedBody = "carried out";

/** The idempotency record of one request (docs/contract/conventions.md#idempotency). */
export function idempotencyRepo(db: Db, recordKey: IdempotencyRecordKey) {
  const isThisRecord = and(
    eq(idempotencyKeys.businessId, recordKey.businessId),
    eq(idempotencyKeys.caller, recordKey.caller),
    eq(idempotencyKeys.route, recordKey.route),
    eq(idempotencyKeys.key, recordKey.key),
  );
  // The lease also identifies the run, because a run that takes over gets a later lease.
  const isHeldBy = (leaseUntil: number) =>
    and(isThisRecord, isNull(idempotencyKeys.status), eq(idempotencyKeys.leaseUntil, leaseUntil));

  const target = [
    idempotencyKeys.businessId,
    idempotencyKeys.caller,
    idempotencyKeys.route,
    idempotencyKeys.key,
  ];
  const claimColumns = (fingerprint: string, now: number) => ({
    ...{ fingerprint, status: null, body: null, subjectIds: null, contentDigest: null },
    ...{ leaseUntil: now + runLeaseMs, createdAt: now },
  });
  const insertClaim = (fingerprint: string, now: number) =>
    db.insert(idempotencyKeys).values({ ...recordKey, ...claimColumns(fingerprint, now) });
  /**
   * The condition that the record may be claimed: it has expired, or its run crashed before
   * committing.
   */
  const isFree = (
    fingerprint: string,
    now: number,
  ) => sql`(${idempotencyKeys.createdAt} <= ${now - idempotencyRecordTtlMs} or
    (${idempotencyKeys.status} is null and ${idempotencyKeys.body} is null and ${idempotencyKeys.leaseUntil} <= ${now}
      and ${idempotencyKeys.fingerprint} = ${fingerprint}))`;

  return {
    /** A text that identifies the record. */
    name: JSON.stringify([recordKey.businessId, recordKey.caller, recordKey.route, recordKey.key]),

    /**
     * Claims the record in one round trip if it is new or expired, or if its run crashed. Otherwise
     * returns the state of the record.
     */
    async claim(fingerprint: string, now: number): Promise<ClaimResult> {
      const [claimed, [existing]] = await db.batch([
        insertClaim(fingerprint, now)
          .onConflictDoUpdate({
            target,
            set: claimColumns(fingerprint, now),
            setWhere: isFree(fingerprint, now),
          })
          .returning({ leaseUntil: idempotencyKeys.leaseUntil }),
        db.select().from(idempotencyKeys).where(isThisRecord),
      ]);
      if (claimed.length > 0 || !existing) return { type: "claimed", leaseUntil: now + runLeaseMs };
      return toRecordState(existing, { fingerprint, now });
    },

    /**
     * A statement for the batch that commits the request's change; it marks the record as
     * committed. The batch fails when another run has taken over the record.
     */
    mark(leaseUntil: number): IdempotencyMark {
      const isHeld = sql`${idempotencyKeys.status} is null and ${idempotencyKeys.leaseUntil} = ${leaseUntil}`;
      const { sql: text, params } = db
        .update(idempotencyKeys)
        .set({
          body: committedBody,
          fingerprint: sql`case when ${isHeld} then ${idempotencyKeys.fingerprint} end`,
        })
        .where(isThisRecord)
        .toSQL();
      return { sql: text, params };
    },

    /**
     * Claims the record like `claim`, but as the first statement of the run's first batch. When the
     * record cannot be claimed, the batch fails (`isClaimRefused`), and `findExisting` returns the
     * reason.
     */
    claimStatement(fingerprint: string, now: number) {
      const { sql: text, params } = insertClaim(fingerprint, now)
        .onConflictDoUpdate({
          target,
          set: {
            ...claimColumns(fingerprint, now),
            createdAt: sql`case when ${isFree(fingerprint, now)} then ${now} end`,
          },
        })
        .toSQL();
      return { leaseUntil: now + runLeaseMs, sql: text, params };
    },

    /**
     * The state of a record that could not be claimed. "running" when the record was deleted
     * meanwhile.
     */
    async findExisting(fingerprint: string): Promise<IdempotencyRecordState> {
      const [row] = await db.select().from(idempotencyKeys).where(isThisRecord);
      return row ? toRecordState(row, { fingerprint, now: 0 }) : { type: "running" };
    },

    /** Stores the response, so that repeats of the request get the same response. */
    async storeResponse(
      leaseUntil: number,
      { subjectIds, ...response }: StoredResponse,
    ): Promise<void> {
      await db
        .update(idempotencyKeys)
        .set({ ...response, subjectIds: subjectIds.length === 0 ? null : subjectIds })
        .where(isHeldBy(leaseUntil));
    },

    /**
     * Lets the same request run again immediately, after an outage. A different request with the
     * same key is still refused.
     */
    async expireLease(leaseUntil: number): Promise<void> {
      await db.update(idempotencyKeys).set({ leaseUntil: 0 }).where(isHeldBy(leaseUntil));
    },

    /**
     * Deletes the record, so that the key can be used again. For responses after which nothing was
     * changed.
     */
    async release(leaseUntil: number): Promise<void> {
      await db.delete(idempotencyKeys).where(isHeldBy(leaseUntil));
    },
  };
}

function toRecordState(
  { fingerprint, status, body, contentDigest, leaseUntil }: typeof idempotencyKeys.$inferSelect,
  request: Readonly<{ fingerprint: string; now: number }>,
): IdempotencyRecordState {
  if (fingerprint !== request.fingerprint) return { type: "different_request" };
  if (status !== null) return { type: "responded", status, body: body ?? "", contentDigest };
  return { type: body !== null && leaseUntil <= request.now ? "committed" : "running" };
}

/** Whether a batch failed because `claimStatement` could not claim the record. */
export const isClaimRefused = (error: unknown): boolean =>
  findFailedConstraint(error) === "idempotency_keys.created_at";

/**
 * Removes the stored responses about a customer and their orders, for the customer's erasure. The
 * keys stay used: a repeated request changes nothing, and its response has no data of the customer.
 */
export const eraseStoredResponses = (
  { db, business }: PersonalDataContext,
  { customerId, orderIds }: DataSubject,
): Write =>
  db
    .update(idempotencyKeys)
    .set({ status: null, body: committedBody, subjectIds: null, leaseUntil: 0 })
    .where(
      and(
        eq(idempotencyKeys.businessId, business.id),
        sql`${idempotencyKeys.subjectIds} is not null`,
        sql`exists (select 1 from json_each(${idempotencyKeys.subjectIds}) as subject
          where subject.value = ${customerId} or subject.value in ${orderIds})`,
      ),
    );

/**
 * The kind of database. In "core" rows are not checked for fences, because only shards are fenced.
 */
export type PurgeTarget = Readonly<{ database: "shop" | "core" }>;

const maxPurgedRows = 5_000;

/** The records that `purgeIdempotencyKeys` deletes. */
export const expiredIdempotencyKeys = ({ database }: PurgeTarget): DueRows => ({
  table: idempotencyKeys,
  since: idempotencyKeys.createdAt,
  afterMs: idempotencyRecordTtlMs,
  businessId: database === "shop" ? idempotencyKeys.businessId : null,
});

/** Deletes a limited number of expired records. A cron job repeats it until none are left. */
export const purgeIdempotencyKeys = (db: Db, now: number, { database }: PurgeTarget): Write =>
  db.delete(idempotencyKeys).where(
    sql`rowid in (select rowid from ${idempotencyKeys} where ${idempotencyKeys.createdAt} <= ${now - idempotencyRecordTtlMs}
        and ${database === "shop" ? isUnfenced(idempotencyKeys.businessId) : sql`true`} limit ${maxPurgedRows})`,
  );
