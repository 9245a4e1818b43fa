import { and, eq, sql } from "drizzle-orm";
import { auditEntries, businessFences, type Db } from "../database/index.ts";
import type { Move } from "./move.ts";

type FenceHolder = Pick<Move, "id" | "businessId">;

/**
 * A fence stops the writes of one business in one shard. Each call is safe to repeat, even after a
 * later move has started.
 */
export function fenceRepo(db: Db, { id: moveId, businessId }: FenceHolder) {
  const ours = and(eq(businessFences.businessId, businessId), eq(businessFences.moveId, moveId));

  return {
    /** Makes the shard refuse every write of the business's rows. A later move's fence stays. */
    async close(): Promise<void> {
      await db
        .insert(businessFences)
        .values({ businessId, moveId, state: "closed" })
        .onConflictDoUpdate({
          target: businessFences.businessId,
          set: { moveId, state: "closed" },
          setWhere: sql`excluded.move_id > ${businessFences.moveId}`,
        });
    },

    /**
     * Allows writes of the business's rows again and inserts the audit entry once, if there is one.
     * A `close` of the same move that arrives later changes nothing.
     */
    async open(audit: typeof auditEntries.$inferInsert | null): Promise<void> {
      const open = db
        .insert(businessFences)
        .values({ businessId, moveId, state: "open" })
        .onConflictDoUpdate({
          target: businessFences.businessId,
          set: { moveId, state: "open" },
          setWhere: sql`excluded.move_id >= ${businessFences.moveId}`,
        });
      if (audit === null) return void (await open);
      await db.batch([
        open,
        db
          .insert(auditEntries)
          .select(
            sql`select ${audit.id}, ${businessId}, ${audit.actor}, ${audit.action}, ${audit.entity},
              ${JSON.stringify(audit.before)}, ${JSON.stringify(audit.after)}, ${audit.at}
              from ${businessFences} where ${ours}`,
          )
          .onConflictDoNothing(),
      ]);
    },
  };
}
