import { and, desc, eq, sql } from "drizzle-orm";
import { businessRepo } from "../businesses/index.ts";
import type { Db, Write } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import type { Move } from "./move.ts";
import { businessMoves } from "./tables.ts";

/**
 * Moves, stored in CORE. A write based on an outdated version changes nothing and throws CONFLICT.
 */
export function moveRepo(db: Db) {
  const asRead = ({ id, version }: Move) =>
    and(eq(businessMoves.id, id), eq(businessMoves.version, version));
  const updatedColumns = ({ phase, position, rowsCopied, flippedAt, endedAt, version }: Move) =>
    ({ phase, position, rowsCopied, flippedAt, endedAt, version: version + 1 }) as const;

  return {
    /** The business's latest move; null when there was none. */
    async latest(businessId: string): Promise<Move | null> {
      const [move] = await db
        .select()
        .from(businessMoves)
        .where(eq(businessMoves.businessId, businessId))
        .orderBy(desc(businessMoves.id))
        .limit(1);
      return move ?? null;
    },

    /**
     * Inserts a move. Throws CONFLICT when the business has an unfinished move, is no longer in
     * `fromShard`, or has a move with a later id, because fences compare moves by id.
     */
    async begin(move: Move): Promise<void> {
      const row = { ...move, position: JSON.stringify(move.position) };
      // Reads businesses of businesses and portability_jobs of portability: a business that moved
      // meanwhile, is erased, exported or imported inserts no row.
      const inserted = await db
        .insert(businessMoves)
        .select(
          sql`select ${row.id}, id, ${row.fromShard}, ${row.toShard}, ${row.phase}, ${row.position},
            ${row.rowsCopied}, ${row.version}, ${row.startedAt}, null, null
            from businesses where id = ${row.businessId} and shard = ${row.fromShard}
              and erase_position is null
              and not exists (select 1 from ${businessMoves} as later
                where later.business_id = ${row.businessId} and later.id > ${row.id})
              and not exists (select 1 from portability_jobs as job
                where job.business_id = ${row.businessId} and (job.ended_at is null
                  or 'bmv' || substr(job.id, instr(job.id, '_')) > ${row.id}))`,
        )
        .onConflictDoNothing()
        .returning({ id: businessMoves.id });
      if (inserted.length === 0) throw moveConflict();
    },

    /**
     * Saves the progress of a move.
     *
     * @param read the move as it was loaded; CONFLICT when the stored version is another one.
     */
    async save(read: Move, progress: Move): Promise<Move> {
      const next = { ...progress, version: read.version };
      const saved = await db
        .update(businessMoves)
        .set(updatedColumns(next))
        .where(asRead(read))
        .returning({ version: businessMoves.version });
      if (saved.length === 0) throw moveConflict();
      return { ...next, version: next.version + 1 };
    },

    /** Saves the progress like `save` and assigns the business to the new shard, in one batch. */
    async flip(read: Move, progress: Move, at: number): Promise<Move> {
      const next = { ...progress, version: read.version, flippedAt: at };
      const [saved] = await db.batch([
        db
          .update(businessMoves)
          .set(updatedColumns(next))
          .where(asRead(read))
          .returning({ version: businessMoves.version }),
        businessRepo(db).setShard(
          { id: read.businessId, from: read.fromShard, to: read.toShard, now: at },
          sql`exists (select 1 from ${businessMoves} as flipped where flipped.id = ${read.id}
            and flipped.version = ${read.version + 1} and flipped.flipped_at = ${at})`,
        ),
      ]);
      if (saved.length === 0) throw moveConflict();
      return { ...next, version: next.version + 1 };
    },
  };
}

/** Deletes the record of a business's moves, before the business itself. */
export const deleteMoves = (db: Db, businessId: string): Write =>
  db.delete(businessMoves).where(eq(businessMoves.businessId, businessId));

const moveConflict = () =>
  conflict("Another call is advancing this move; try again.", { retryable: true });
