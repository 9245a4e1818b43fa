import { and, eq, isNull, sql } from "drizzle-orm";
import { day, minute } from "../kernel/index.ts";
import { type Db, messageOf, type Seal, type Write } from "./client.ts";
import { unfenced } from "./fences.ts";
import { idempotencyKeys } from "./tables.ts";

const keptMs = day;
/** A run that has not answered by then is taken for dead. */
const leaseMs = minute;

/** Where a key is looked for: the same key of another caller or route is another key. */
export type IdempotencySlot = Readonly<{
  businessId: string;
  caller: string;
  route: string;
  key: string;
}>;

export type Claim = Readonly<{ type: "claimed"; leaseUntil: number }> | Standing;

/** What stands in a slot that cannot be claimed. */
export type Standing =
  | Readonly<{ type: "answered"; status: number; body: string }>
  | Readonly<{ type: "running" }>
  /** It was carried out, and nobody knows its answer. */
  | Readonly<{ type: "done" }>
  | Readonly<{ type: "other-request" }>;

const t = idempotencyKeys;

/** In the place of an answer that is yet to come: what was asked is carried out (`seal`). */
const carriedOut = "carried out";

/** Keys and their answers in the business's shard (completions.md 6). */
export function idempotencyRepo(db: Db, slot: IdempotencySlot) {
  const mine = and(
    eq(t.businessId, slot.businessId),
    eq(t.caller, slot.caller),
    eq(t.route, slot.route),
    eq(t.key, slot.key),
  );
  // A lease is also the run's token: whoever took a dead run over has a later one.
  const held = (leaseUntil: number) => and(mine, isNull(t.status), eq(t.leaseUntil, leaseUntil));

  const target = [t.businessId, t.caller, t.route, t.key];
  const taken = (fingerprint: string, now: number) => ({
    ...{ fingerprint, status: null, body: null },
    ...{ leaseUntil: now + leaseMs, createdAt: now },
  });
  const inserted = (fingerprint: string, now: number) =>
    db.insert(t).values({ ...slot, ...taken(fingerprint, now) });
  /** The slot of a run that died before it wrote anything, or an outdated one. */
  const isFree = (fingerprint: string, now: number) => sql`(${t.createdAt} <= ${now - keptMs} or
    (${t.status} is null and ${t.body} is null and ${t.leaseUntil} <= ${now}
      and ${t.fingerprint} = ${fingerprint}))`;

  return {
    /** The slot's own name. */
    name: JSON.stringify([slot.businessId, slot.caller, slot.route, slot.key]),

    /** One round trip: takes a free slot, a dead run's or an outdated one, or tells what stands there. */
    async claim(fingerprint: string, now: number): Promise<Claim> {
      const [claimed, [standing]] = await db.batch([
        inserted(fingerprint, now)
          .onConflictDoUpdate({
            target,
            set: taken(fingerprint, now),
            setWhere: isFree(fingerprint, now),
          })
          .returning({ leaseUntil: t.leaseUntil }),
        db.select().from(t).where(mine),
      ]);
      if (claimed.length > 0 || !standing) return { type: "claimed", leaseUntil: now + leaseMs };
      return standingOf(standing, { fingerprint, now });
    },

    /**
     * What a claimed run writes together with its change: from then on the change is known to stand,
     * whatever becomes of the answer. Fails the change of a run whose slot another has taken over.
     */
    seal(leaseUntil: number): Seal {
      const isHeld = sql`${t.status} is null and ${t.leaseUntil} = ${leaseUntil}`;
      const { sql: text, params } = db
        .update(t)
        .set({
          body: carriedOut,
          fingerprint: sql`case when ${isHeld} then ${t.fingerprint} end`,
        })
        .where(mine)
        .toSQL();
      return { sql: text, params };
    },

    /**
     * As `claim`, as a statement that goes ahead of the run's own first batch, and fails it
     * (`isRefusedClaim`) where the slot cannot be taken; `standing` tells why.
     */
    claimAhead(fingerprint: string, now: number) {
      const { sql: text, params } = inserted(fingerprint, now)
        .onConflictDoUpdate({
          target,
          set: {
            ...taken(fingerprint, now),
            createdAt: sql`case when ${isFree(fingerprint, now)} then ${now} end`,
          },
        })
        .toSQL();
      return { leaseUntil: now + leaseMs, sql: text, params };
    },

    /** What stands in a slot that refused a claim; one that is free by now was just left. */
    async standing(fingerprint: string): Promise<Standing> {
      const [row] = await db.select().from(t).where(mine);
      return row ? standingOf(row, { fingerprint, now: 0 }) : { type: "running" };
    },

    /** Keeps the answer for whoever repeats the request. */
    async store(
      leaseUntil: number,
      { status, body }: { status: number; body: string },
    ): Promise<void> {
      await db.update(t).set({ status, body }).where(held(leaseUntil));
    },

    /** After an outage: the same request may run at once, another is still refused. */
    async reopen(leaseUntil: number): Promise<void> {
      await db.update(t).set({ leaseUntil: 0 }).where(held(leaseUntil));
    },

    /** After an answer that decided nothing: the key is as if it had never been used. */
    async forget(leaseUntil: number): Promise<void> {
      await db.delete(t).where(held(leaseUntil));
    },
  };
}

function standingOf(
  { fingerprint, status, body, leaseUntil }: typeof t.$inferSelect,
  asked: Readonly<{ fingerprint: string; now: number }>,
): Standing {
  if (fingerprint !== asked.fingerprint) return { type: "other-request" };
  if (status !== null) return { type: "answered", status, body: body ?? "" };
  return { type: body !== null && leaseUntil <= asked.now ? "done" : "running" };
}

/** Whether it was `claimAhead` that failed a batch. */
export const isRefusedClaim = (error: unknown): boolean =>
  messageOf(error).includes("NOT NULL constraint failed: idempotency_keys.created_at");

/** CORE has no fences: no business is written there. */
export type PurgedPlace = Readonly<{ of: "shop" | "core" }>;

const purgedAtOnce = 5_000;

/** Deletes some of the keys that no longer count; for cron, which comes again for the rest. */
export const purgeIdempotencyKeys = (db: Db, now: number, { of }: PurgedPlace): Write =>
  db.delete(t).where(
    sql`rowid in (select rowid from ${t} where ${t.createdAt} <= ${now - keptMs}
        and ${of === "shop" ? unfenced(t.businessId) : sql`true`} limit ${purgedAtOnce})`,
  );
