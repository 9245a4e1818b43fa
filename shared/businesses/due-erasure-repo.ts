import { and, eq, sql } from "drizzle-orm";
import type { Db, DueRows, Write } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import type { ErasePosition } from "./business.ts";
import { deleteDomains } from "./domains/domain-repo.ts";
import { organizationRepo } from "./organization-repo.ts";
import { deleteProviderAccounts } from "./provider-accounts/account-repo.ts";
import { apiKeys, businesses, locations } from "./tables.ts";

/** A closed business whose time to be erased has come. */
export type DueErasure = Readonly<{
  id: string;
  shard: string;
  organizationId: string | null;
  position: ErasePosition;
}>;

/** A run that has not saved its progress by then is considered dead. */
const leaseMs = 5 * minute;
const firstPosition: ErasePosition = { phase: "files" };

// Reads business_moves of moves and portability_jobs of portability.
const isNotMoving = sql`not exists (select 1 from business_moves as move
  where move.business_id = businesses.id and move.ended_at is null)
  and not exists (select 1 from portability_jobs as job
    where job.business_id = businesses.id and job.ended_at is null)`;

/** The closed businesses that `dueErasureRepo.claim` claims. */
export const dueBusinessErasures: DueRows = {
  table: businesses,
  since: businesses.eraseDueAt,
  condition: isNotMoving,
  businessId: null,
};

/** The erasure of closed businesses, in CORE. */
export function dueErasureRepo(db: Db) {
  return {
    /**
     * Claims the business that is due longest; null when none is due. From then on it cannot be
     * resumed. A business that is moved, exported or imported waits for the end of that.
     */
    async claim(now: number): Promise<DueErasure | null> {
      const due = sql`(select businesses.id from ${businesses}
        where businesses.erase_due_at <= ${now} and ${isNotMoving}
        order by businesses.erase_due_at limit 1)`;
      const [row] = await db
        .update(businesses)
        .set({
          eraseDueAt: now + leaseMs,
          erasePosition: sql`coalesce(${businesses.erasePosition}, ${JSON.stringify(firstPosition)})`,
        })
        .where(sql`${businesses.id} = ${due}`)
        .returning({
          id: businesses.id,
          shard: businesses.shard,
          organizationId: businesses.organizationId,
          position: businesses.erasePosition,
        });
      return row ? { ...row, position: row.position ?? firstPosition } : null;
    },

    /** Saves the progress of a run, and lets the next run continue; another run may be further. */
    async save({ id, position }: DueErasure, next: ErasePosition, now: number): Promise<void> {
      await db
        .update(businesses)
        .set({ erasePosition: next, eraseDueAt: now })
        .where(
          and(
            eq(businesses.id, id),
            sql`${businesses.erasePosition} = ${JSON.stringify(position)}`,
          ),
        );
    },

    /** Deletes the business and what this area stores about it; other areas delete theirs before. */
    deleteBusiness: ({ id, organizationId }: DueErasure): Write[] => [
      db.delete(apiKeys).where(eq(apiKeys.businessId, id)),
      db.delete(locations).where(eq(locations.businessId, id)),
      ...deleteProviderAccounts(db, id),
      deleteDomains(db, id),
      db.delete(businesses).where(eq(businesses.id, id)),
      organizationRepo(db).assignDefaultBusinesses([{ organizationId }]),
    ],
  };
}
