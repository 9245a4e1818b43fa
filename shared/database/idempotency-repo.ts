import { and, eq, isNull, sql } from "drizzle-orm";
import { day, minute } from "../kernel/index.ts";
import type { Db, IdempotencyMark, Write } from "./client.ts";
import { isUnfenced } from "./conditions.ts";
import { findFailedConstraint } from "./constraint.ts";
import { idempotencyKeys } from "./tables.ts";

const idempotencyRecordTtlMs = day;
/** A run without a response after this time counts as dead. */
const runLeaseMs = minute;

/** Identifies a record: the same key of another caller or route is another record. */
export type IdempotencyRecordKey = Readonly<{
  businessId: string;
  caller: string;
  route: string;
  key: string;
}>;

export type ClaimResult =
  | Readonly<{ type: "claimed"; leaseUntil: number }>
  | IdempotencyRecordState;

/** The state of a record that cannot be claimed. */
export type IdempotencyRecordState =
  | Readonly<{ type: "responded"; status: number; body: string }>
  | Readonly<{ type: "running" }>
  /** The request's change was committed, but its response was not stored. */
  | Readonly<{ type: "committed" }>
  | Readonly<{ type: "different_request" }>;

const t = idempotencyKeys;

/** Marks a record whose change is committed and whose response is not stored yet (`mark`). */
const committedBody = "carried out";

/** The idempotency record of one request (docs/contract/conventions.md#idempotency). */
export function idempotencyRepo(db: Db, recordKey: IdempotencyRecordKey) {
  const isThisRecord = and(
    eq(t.businessId, recordKey.businessId),
    eq(t.caller, recordKey.caller),
    eq(t.route, recordKey.route),
    eq(t.key, recordKey.key),
  );
  // The lease also identifies the run, because a run that takes over has a later one.
  const isHeldBy = (leaseUntil: number) =>
    and(isThisRecord, isNull(t.status), eq(t.leaseUntil, leaseUntil));

  const target = [t.businessId, t.caller, t.route, t.key];
  const claimColumns = (fingerprint: string, now: number) => ({
    ...{ fingerprint, status: null, body: null },
    ...{ leaseUntil: now + runLeaseMs, createdAt: now },
  });
  const insertClaim = (fingerprint: string, now: number) =>
    db.insert(t).values({ ...recordKey, ...claimColumns(fingerprint, now) });
  /** The record expired, or its run died before it committed anything. */
  const isFree = (
    fingerprint: string,
    now: number,
  ) => sql`(${t.createdAt} <= ${now - idempotencyRecordTtlMs} or
    (${t.status} is null and ${t.body} is null and ${t.leaseUntil} <= ${now}
      and ${t.fingerprint} = ${fingerprint}))`;

  return {
    /** A name that identifies the record. */
    name: JSON.stringify([recordKey.businessId, recordKey.caller, recordKey.route, recordKey.key]),

    /**
     * Claims the record in one round trip if it is new, expired or left by a dead run; otherwise
     * returns its state.
     */
    async claim(fingerprint: string, now: number): Promise<ClaimResult> {
      const [claimed, [existing]] = await db.batch([
        insertClaim(fingerprint, now)
          .onConflictDoUpdate({
            target,
            set: claimColumns(fingerprint, now),
            setWhere: isFree(fingerprint, now),
          })
          .returning({ leaseUntil: t.leaseUntil }),
        db.select().from(t).where(isThisRecord),
      ]);
      if (claimed.length > 0 || !existing) return { type: "claimed", leaseUntil: now + runLeaseMs };
      return toRecordState(existing, { fingerprint, now });
    },

    /**
     * A statement that marks the record as committed in the batch of its change. It fails the batch
     * when another run has taken the record over.
     */
    mark(leaseUntil: number): IdempotencyMark {
      const isHeld = sql`${t.status} is null and ${t.leaseUntil} = ${leaseUntil}`;
      const { sql: text, params } = db
        .update(t)
        .set({
          body: committedBody,
          fingerprint: sql`case when ${isHeld} then ${t.fingerprint} end`,
        })
        .where(isThisRecord)
        .toSQL();
      return { sql: text, params };
    },

    /**
     * Claims the record like `claim`, as the first statement of the run's first batch. It fails the
     * batch (`isClaimRefused`) when the record cannot be claimed; `findExisting` returns the
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
     * The state of a record that could not be claimed; "running" when it was released meanwhile.
     */
    async findExisting(fingerprint: string): Promise<IdempotencyRecordState> {
      const [row] = await db.select().from(t).where(isThisRecord);
      return row ? toRecordState(row, { fingerprint, now: 0 }) : { type: "running" };
    },

    /** Stores the response for repeats of the request. */
    async storeResponse(
      leaseUntil: number,
      { status, body }: { status: number; body: string },
    ): Promise<void> {
      await db.update(t).set({ status, body }).where(isHeldBy(leaseUntil));
    },

    /**
     * After an outage: lets the same request run again immediately; another one is still refused.
     */
    async expireLease(leaseUntil: number): Promise<void> {
      await db.update(t).set({ leaseUntil: 0 }).where(isHeldBy(leaseUntil));
    },

    /**
     * After a response that decided nothing: deletes the record, as if the key had not been used.
     */
    async release(leaseUntil: number): Promise<void> {
      await db.delete(t).where(isHeldBy(leaseUntil));
    },
  };
}

function toRecordState(
  { fingerprint, status, body, leaseUntil }: typeof t.$inferSelect,
  request: Readonly<{ fingerprint: string; now: number }>,
): IdempotencyRecordState {
  if (fingerprint !== request.fingerprint) return { type: "different_request" };
  if (status !== null) return { type: "responded", status, body: body ?? "" };
  return { type: body !== null && leaseUntil <= request.now ? "committed" : "running" };
}

/** Whether `claimStatement` failed a batch. */
export const isClaimRefused = (error: unknown): boolean =>
  findFailedConstraint(error) === "idempotency_keys.created_at";

/** CORE has no fences, because no business is moved there. */
export type PurgeTarget = Readonly<{ database: "shop" | "core" }>;

const maxPurgedRows = 5_000;

/** Deletes a limited number of expired records; cron repeats it. */
export const purgeIdempotencyKeys = (db: Db, now: number, { database }: PurgeTarget): Write =>
  db.delete(t).where(
    sql`rowid in (select rowid from ${t} where ${t.createdAt} <= ${now - idempotencyRecordTtlMs}
        and ${database === "shop" ? isUnfenced(t.businessId) : sql`true`} limit ${maxPurgedRows})`,
  );
