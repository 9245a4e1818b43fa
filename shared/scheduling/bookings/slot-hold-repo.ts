import { and, eq, sql } from "drizzle-orm";
import { type Context, type Db, isUnfenced, type Write } from "../../database/index.ts";
import type { SlotAllocation } from "../slots/slot-allocation.ts";
import { slotHoldTtlMs } from "../slots/slot-hold.ts";
import { slotClaims } from "../tables.ts";
import { slotAllocationRepo } from "./slot-allocation-repo.ts";

type NewSlotHold = Readonly<{ sessionId: string; allocation: SlotAllocation; at: number }>;

/** The slots that cart lines hold. The triggers of `slot_claims` check the capacity. */
export function slotHoldRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  // The unary plus keeps SQLite from scanning all allocations of the business by the index on
  // business_id.
  const isHoldOf = (ids: readonly string[]) =>
    and(
      sql`${slotClaims.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      sql`+${slotClaims.businessId} = ${business.id}`,
      eq(slotClaims.kind, "hold"),
    );

  return {
    /**
     * Holds a slot, or renews the hold with this id. The result and the failures are those of
     * `allocate`.
     */
    hold: (id: string, { sessionId, allocation, at }: NewSlotHold) =>
      slotAllocationRepo(ctx).allocate({
        id,
        allocation,
        holder: { kind: "hold", sessionId, expiresAt: at + slotHoldTtlMs },
        at,
      }),

    /** Lowers the number of participants of a hold that has not expired. */
    lowerParticipants: (
      id: string,
      { participants, now }: { participants: number; now: number },
    ): Write =>
      db
        .update(slotClaims)
        .set({ participants })
        .where(
          and(
            isHoldOf([id]),
            sql`${slotClaims.expiresAt} > ${now} and ${slotClaims.participants} > ${participants}`,
          ),
        ),

    release: (ids: readonly string[]): Write => db.delete(slotClaims).where(isHoldOf(ids)),
  };
}

const purgeBatchSize = 500;

/** Deletes a batch of a shard's expired holds, which no longer occupy capacity. */
export const purgeHolds = (db: Db, now: number): Write =>
  db.delete(slotClaims).where(
    sql`${slotClaims.id} in (select expired.id from slot_claims as expired
        where expired.expires_at is not null and expired.expires_at <= ${now}
          and ${isUnfenced(sql`expired.business_id`)}
        order by expired.expires_at limit ${purgeBatchSize})`,
  );
