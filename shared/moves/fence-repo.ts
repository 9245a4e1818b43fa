import { and, eq, sql } from "drizzle-orm";
import { auditEntries, businessFences, type Db } from "../database/index.ts";
import type { Move } from "./move.ts";

type Fenced = Pick<Move, "id" | "businessId">;

/** A business's fence in one shard. Each call is safe to repeat, also long after another move began. */
export function fenceRepo(db: Db, { id: moveId, businessId }: Fenced) {
  const t = businessFences;
  const ours = and(eq(t.businessId, businessId), eq(t.moveId, moveId));

  return {
    /** From then on the shard refuses every write of the business's rows. */
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
     * The business may be written here again; the entry of its audit trail comes with it, once. A `close`
     * of the same move that was held up until now closes nothing any more.
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
