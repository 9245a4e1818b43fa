import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { day, minute, type NewId } from "../kernel/index.ts";
import type { FoundDifference } from "./difference.ts";
import {
  overlapMs,
  type ReconciliationPosition,
  reconcileEveryMs,
  settlingMs,
} from "./position.ts";
import { reconciliationDifferences, reconciliations } from "./tables.ts";

/** A run that has saved nothing for this time is considered dead, and another one continues. */
const leaseMs = 2 * minute;
/** A difference that no run has found again for this time is forgotten. */
const retentionMs = 90 * day;

export type StoredDifference = typeof reconciliationDifferences.$inferSelect;
export type Reconciliation = typeof reconciliations.$inferSelect;

/** An account that a run has claimed; `businessId` is null for one of the deployment. */
export type ClaimedAccount = Pick<Reconciliation, "account" | "businessId">;

/** As many as the operator's status lists. */
const maxListedAccounts = 100;

/** The state of the reconciliation, and the differences that it found, in CORE. */
export function reconciliationRepo(db: Db) {
  const isAt = (account: string, position: ReconciliationPosition) =>
    and(
      eq(reconciliations.account, account),
      sql`${reconciliations.position} = ${JSON.stringify(position)}`,
    );

  return {
    /**
     * When the account that waits longest became due; null when none is due.
     *
     * @param accounts the deployment's accounts; those of businesses have rows.
     */
    async findOldestDue(accounts: readonly string[], now: number): Promise<number | null> {
      const due = sql`(
        select coalesce(due_at, ${now}) as due_at from json_each(${JSON.stringify(accounts)}) as name
          left join reconciliations on reconciliations.account = name.value
        union all
        select * from (select due_at from reconciliations where business_id is not null
          order by due_at limit 1)) as due`;
      const [row] = await db
        .select({ oldest: sql<number | null>`min(due.due_at)` })
        .from(due)
        .where(sql`due.due_at <= ${now}`);
      return row?.oldest ?? null;
    },

    /**
     * Claims the account that is due longest, and lets it begin a run or continue one. A run that
     * begins covers all the time since the last one, so that missed days are made up. Returns null
     * when none is due.
     */
    async claimDue(accounts: readonly string[], now: number): Promise<ClaimedAccount | null> {
      const until = now - settlingMs;
      const since = sql`min(coalesce(${reconciliations.reconciledUntil}, ${until - reconcileEveryMs}), ${until})`;
      const [, claimed] = await db.batch([
        db
          .insert(reconciliations)
          .select(
            sql`select value, null, null, null, ${now} from json_each(${JSON.stringify(accounts)}) where true`,
          )
          .onConflictDoNothing(),
        db
          .update(reconciliations)
          .set({
            dueAt: now + leaseMs,
            position: sql`coalesce(${reconciliations.position}, json_object('phase', 'charges',
              'from', cast(${since} - ${overlapMs} as integer), 'to', cast(${until} as integer),
              'cursor', null, 'attempts', 0))`, // D1 binds numbers as real
          })
          .where(
            sql`${reconciliations.account} = (select account from ${reconciliations} where due_at <= ${now}
              and (business_id is not null
                or account in (select value from json_each(${JSON.stringify(accounts)})))
              order by due_at, account limit 1)`,
          )
          .returning({
            account: reconciliations.account,
            businessId: reconciliations.businessId,
          }),
      ]);
      return claimed[0] ?? null;
    },

    /** Lets a claimed account wait without moving its run on. */
    async postpone(account: string, dueAt: number): Promise<void> {
      await db.update(reconciliations).set({ dueAt }).where(eq(reconciliations.account, account));
    },

    /** Adds a business's own account, whose first run begins at once. */
    add: ({ account, businessId }: ClaimedAccount, now: number): Write =>
      db
        .insert(reconciliations)
        .values({ account, businessId, position: null, reconciledUntil: null, dueAt: now })
        .onConflictDoNothing(),

    async remove(account: string): Promise<void> {
      await db.delete(reconciliations).where(eq(reconciliations.account, account));
    },

    async findPosition(account: string): Promise<ReconciliationPosition | null> {
      const [row] = await db
        .select({ position: reconciliations.position })
        .from(reconciliations)
        .where(eq(reconciliations.account, account));
      return row?.position ?? null;
    },

    /** Moves a run on. Returns false when another run has moved it, or ended it. */
    async advance(
      account: string,
      from: ReconciliationPosition,
      { to, dueAt }: Readonly<{ to: ReconciliationPosition; dueAt: number }>,
    ): Promise<boolean> {
      const moved = await db
        .update(reconciliations)
        .set({ position: to, dueAt })
        .where(isAt(account, from))
        .returning({ account: reconciliations.account });
      return moved.length > 0;
    },

    /** Ends a run. The next one follows a day after this one began, at once if that is past. */
    async finish(account: string, from: ReconciliationPosition, now: number): Promise<void> {
      await db.batch([
        db
          .update(reconciliations)
          .set({
            position: null,
            reconciledUntil: from.to,
            dueAt: from.to + settlingMs + reconcileEveryMs,
          })
          .where(isAt(account, from)),
        db
          .delete(reconciliationDifferences)
          .where(lt(reconciliationDifferences.lastSeenAt, now - retentionMs)),
      ]);
    },

    /** Stores differences, and returns those that no run has found before. */
    async save(
      account: string,
      found: readonly FoundDifference[],
      { now, newId }: Readonly<{ now: number; newId: NewId }>,
    ): Promise<StoredDifference[]> {
      if (found.length === 0) return [];
      const rows = found.map((one) => ({ id: newId("rdf"), ...one }));
      const stored = await db
        .insert(reconciliationDifferences)
        .select(
          sql`select value ->> 'id', ${account}, value ->> 'kind', value ->> 'entry',
            value ->> 'reference', value ->> 'businessId', value ->> 'orderId',
            value ->> '$.expected.amountMinor', value ->> '$.expected.currency',
            value ->> '$.reported.amountMinor', value ->> '$.reported.currency', ${now}, ${now}
          from json_each(${JSON.stringify(rows)}) where true`,
        )
        .onConflictDoUpdate({
          target: [
            reconciliationDifferences.account,
            reconciliationDifferences.kind,
            reconciliationDifferences.entry,
          ],
          set: {
            reportedMinor: sql`excluded.reported_minor`,
            reportedCurrency: sql`excluded.reported_currency`,
            lastSeenAt: now,
          },
        })
        .returning();
      const newIds = new Set(rows.map(({ id }) => id));
      return stored.filter(({ id }) => newIds.has(id)); // a known one keeps its id
    },

    /** Differences, newest first. @param before the id of the last one of the page before. */
    list: ({ limit, before }: Readonly<{ limit: number; before: string | null }>) =>
      db
        .select()
        .from(reconciliationDifferences)
        .where(before === null ? undefined : lt(reconciliationDifferences.id, before))
        .orderBy(desc(reconciliationDifferences.id))
        .limit(limit),

    /**
     * How far accounts are, with the number of differences that their last runs found: the
     * deployment's, then those of businesses that wait longest.
     */
    async listAccounts(now: number): Promise<(Reconciliation & { differences: number })[]> {
      const recent = sql<number>`(select count(*) from ${reconciliationDifferences} as found
        where found.account = reconciliations.account
          and found.last_seen_at > ${now - 2 * reconcileEveryMs})`;
      return db
        .select({
          account: reconciliations.account,
          businessId: reconciliations.businessId,
          position: reconciliations.position,
          reconciledUntil: reconciliations.reconciledUntil,
          dueAt: reconciliations.dueAt,
          differences: recent,
        })
        .from(reconciliations)
        .orderBy(
          sql`${reconciliations.businessId} is not null`,
          sql`case when ${reconciliations.businessId} is not null then ${reconciliations.dueAt} end`,
          reconciliations.account,
        )
        .limit(maxListedAccounts);
    },
  };
}

/** Deletes the reconciliations and differences of a business that is erased. */
export const deleteReconciliations = (db: Db, businessId: string): Write[] => [
  db.delete(reconciliations).where(eq(reconciliations.businessId, businessId)),
  db.delete(reconciliationDifferences).where(eq(reconciliationDifferences.businessId, businessId)),
];
