import { and, desc, eq, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Db, DueRows, Write } from "../database/index.ts";
import { day, minute } from "../kernel/index.ts";
import { deadLetters } from "./tables.ts";

const retentionMs = 30 * day;
/** A retry that has not ended by then has crashed, and the letter may be claimed again. */
const claimMs = minute;
const maxPurgedRows = 5_000;

export type DeadLetter = typeof deadLetters.$inferSelect;
export type NewDeadLetter = Omit<DeadLetter, "claimedUntil" | "retriedAt">;

/** What the queues gave up on, in CORE. */
export function deadLetterRepo(core: Db) {
  const waitingCount = () =>
    core
      .select({ count: sql<number>`count(*)` })
      .from(deadLetters)
      .where(isNull(deadLetters.retriedAt));

  return {
    /** Stores letters. One that a queue delivers twice is stored once. */
    async insert(letters: readonly NewDeadLetter[]): Promise<void> {
      await core
        .insert(deadLetters)
        .select(
          sql`select value ->> 'id', value ->> 'queue', value ->> 'messageId',
            value ->> 'businessId', value ->> 'shard', value ->> 'receivedAt', null, null
          from json_each(${JSON.stringify(letters)}) where true`,
        )
        .onConflictDoNothing();
    },

    async find(id: string): Promise<DeadLetter | null> {
      const [letter] = await core.select().from(deadLetters).where(eq(deadLetters.id, id));
      return letter ?? null;
    },

    /** The letters, newest first. @param before the id of the last one of the page before. */
    list: ({ limit, before }: Readonly<{ limit: number; before: string | null }>) =>
      core
        .select()
        .from(deadLetters)
        .where(before === null ? undefined : lt(deadLetters.id, before))
        .orderBy(desc(deadLetters.id))
        .limit(limit),

    /** How many letters wait for the operator. */
    async countWaiting(): Promise<number> {
      const [row] = await waitingCount();
      return row?.count ?? 0;
    },

    /**
     * Claims letters that wait, and that no other retry has claimed: this one, or the oldest when
     * `id` is null.
     */
    claim({ id, limit, now }: Readonly<{ id: string | null; limit: number; now: number }>) {
      const isFree = and(
        isNull(deadLetters.retriedAt),
        or(isNull(deadLetters.claimedUntil), lte(deadLetters.claimedUntil, now)),
      );
      const oldest = core
        .select({ id: deadLetters.id })
        .from(deadLetters)
        .where(isFree)
        .orderBy(deadLetters.receivedAt)
        .limit(limit);
      return core
        .update(deadLetters)
        .set({ claimedUntil: now + claimMs })
        .where(and(isFree, id === null ? inArray(deadLetters.id, oldest) : eq(deadLetters.id, id)))
        .returning();
    },

    /**
     * Ends the claims: the letters were sent, or wait again when `retriedAt` is null. Returns how
     * many letters wait then.
     */
    async settle(ids: readonly string[], retriedAt: number | null): Promise<number> {
      const [, [row]] = await core.batch([
        core
          .update(deadLetters)
          .set({ retriedAt, claimedUntil: null })
          .where(
            sql`${deadLetters.id} in (select value from json_each(${JSON.stringify(ids)}))
              and ${deadLetters.retriedAt} is null`,
          ),
        waitingCount(),
      ]);
      return row?.count ?? 0;
    },
  };
}

/** The letters that are deleted, retried or not. */
export const oldDeadLetters: DueRows = {
  table: deadLetters,
  since: deadLetters.receivedAt,
  afterMs: retentionMs,
  businessId: null,
};

export const purgeDeadLetters = (core: Db, now: number): Write =>
  core.delete(deadLetters).where(
    sql`rowid in (select rowid from ${deadLetters}
      where ${deadLetters.receivedAt} <= ${now - retentionMs} limit ${maxPurgedRows})`,
  );

export const deleteDeadLetters = (core: Db, businessId: string): Write =>
  core.delete(deadLetters).where(eq(deadLetters.businessId, businessId));
