import { and, eq, sql } from "drizzle-orm";
import { auditEntries, businessFences, type Db } from "../database/index.ts";
import type { Move } from "./move.ts";

type FenceHolder = Pick<Move, "id" | "businessId">;

/**
 * A business's fence in one shard. Each call is safe to repeat, even after a later move has
 * started.
 */
export function fenceRepo(db: Db, { id: moveId, businessId }: FenceHolder) {
  const t = businessFences;
  const ours = and(eq(t.businessId, businessId), eq(t.moveId, moveId));

  return {
    /** Makes the shard refuse every write of the business's rows. */
    async close(): Promise<void> {
      await db
        .insert(t)
        .values({ businessId, moveId, state: "closed" })
        .onConflictDoUpdate({
          target: t.businessId,
          set: { moveId, state: "closed" },
          setWhere: sql`excluded.move_id > ${t.moveId}`,
        });
    },

    /**
     * Allows writes of the business's rows again and inserts the audit entry, once. A delayed
     * `close` of the same move has no effect afterwards.
     */
    async open(audit: typeof auditEntries.$inferInsert): Promise<void> {
      await db.batch([
        db
          .insert(t)
          .values({ businessId, moveId, state: "open" })
          .onConflictDoUpdate({
            target: t.businessId,
            set: { moveId, state: "open" },
            setWhere: sql`excluded.move_id >= ${t.moveId}`,
          }),
        db
          .insert(auditEntries)
          .select(
            sql`select ${audit.id}, ${businessId}, ${audit.actor}, ${audit.action}, ${audit.entity},
              ${JSON.stringify(audit.before)}, ${JSON.stringify(audit.after)}, ${audit.at}
              from ${t} where ${ours}`,
          )
          .onConflictDoNothing(),
      ]);
    },
  };
}
