import { and, eq, sql } from "drizzle-orm";
import { type Context, type Db, isUnfenced, type Write } from "../../database/index.ts";
import type { SlotAllocation } from "../slots/slot-allocation.ts";
import { slotHoldTtlMs } from "../slots/slot-hold.ts";
import { slotClaims } from "../tables.ts";
import { slotAllocationRepo } from "./slot-allocation-repo.ts";

const t = slotClaims;

type NewSlotHold = Readonly<{ sessionId: string; allocation: SlotAllocation; at: number }>;

/** The slots that cart lines hold; the triggers of `slot_claims` check their capacity. */
export function slotHoldRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  // The unary plus keeps SQLite from using an index that covers the whole business.
  const isHoldOf = (ids: readonly string[]) =>
    and(
      sql`${t.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      sql`+${t.businessId} = ${business.id}`,
      eq(t.kind, "hold"),
    );

  return {
    /** Holds a slot, or renews the hold of that id. Returns rows and fails as `allocate` does. */
    hold: (id: string, { sessionId, allocation, at }: NewSlotHold) =>
      slotAllocationRepo(ctx).allocate({
        id,
        allocation,
        holder: { kind: "hold", sessionId, expiresAt: at + slotHoldTtlMs },
        at,
      }),

    /** Lowers the participants of a live hold; an expired one is not changed. */
    lowerParticipants: (
      id: string,
      { participants, now }: { participants: number; now: number },
    ): Write =>
      db
        .update(t)
        .set({ participants })
        .where(
          and(isHoldOf([id]), sql`${t.expiresAt} > ${now} and ${t.participants} > ${participants}`),
        ),

    release: (ids: readonly string[]): Write => db.delete(t).where(isHoldOf(ids)),
  };
}

const purgeBatchSize = 500;

/** Deletes expired holds of a shard; they no longer occupy capacity. */
export const purgeHolds = (db: Db, now: number): Write =>
  db.delete(t).where(
    sql`${t.id} in (select expired.id from slot_claims as expired
        where expired.expires_at is not null and expired.expires_at <= ${now}
          and ${isUnfenced(sql`expired.business_id`)}
        order by expired.expires_at limit ${purgeBatchSize})`,
  );
