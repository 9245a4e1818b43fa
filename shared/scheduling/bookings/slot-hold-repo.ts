import { and, eq, type SQL, sql } from "drizzle-orm";
import {
  type Context,
  type Db,
  type DueRows,
  isUnfenced,
  type Write,
} from "../../database/index.ts";
import type { SlotAllocation } from "../slots/slot-allocation.ts";
import { slotHoldTtlMs } from "../slots/slot-hold.ts";
import { slotClaims } from "../tables.ts";
import { slotAllocationRepo } from "./slot-allocation-repo.ts";

type NewSlotHold = Readonly<{
  sessionId: string;
  /** A digest of the caller's network; null when it is not known. */
  addressDigest: string | null;
  allocation: SlotAllocation;
  at: number;
  /** How many live holds a session and a network may have. */
  limits: Readonly<{ holdsPerSession: number; perAddress: number }>;
}>;

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

  /** SQL for how many other live holds of the business there are. */
  const otherHolds = (id: string, owner: SQL, at: number): SQL =>
    sql`(select count(*) from slot_claims as other where ${owner} and +other.business_id = ${business.id}
      and other.kind = 'hold' and other.expires_at > ${at} and other.id <> ${id})`;

  return {
    /**
     * Holds a slot, or renews the hold with this id. The result and the failures are those of
     * `allocate`; beyond a limit the batch fails with a constraint of `holdLimitRefusals`.
     */
    hold: (
      id: string,
      {
        sessionId,
        addressDigest,
        allocation,
        at,
        limits: { holdsPerSession, perAddress },
      }: NewSlotHold,
    ) => {
      const ofSession = otherHolds(id, sql`other.session_id = ${sessionId}`, at);
      const ofAddress = otherHolds(id, sql`other.address_digest = ${addressDigest}`, at);
      return slotAllocationRepo(ctx).allocate({
        id,
        allocation,
        holder: { kind: "hold", sessionId, addressDigest, expiresAt: at + slotHoldTtlMs },
        at,
        holdLimits: {
          isWithinSession: sql`${ofSession} < ${holdsPerSession}`,
          isWithinAddress: sql`${ofAddress} < ${perAddress}`,
        },
      });
    },

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

/** The holds that `purgeHolds` deletes. */
export const expiredHolds: DueRows = {
  table: slotClaims,
  since: slotClaims.expiresAt,
  businessId: slotClaims.businessId,
};

/** Deletes a batch of a shard's expired holds, which no longer occupy capacity. */
export const purgeHolds = (db: Db, now: number): Write =>
  db.delete(slotClaims).where(
    sql`${slotClaims.id} in (select expired.id from slot_claims as expired
        where expired.expires_at is not null and expired.expires_at <= ${now}
          and ${isUnfenced(sql`expired.business_id`)}
        order by expired.expires_at limit ${purgeBatchSize})`,
  );
