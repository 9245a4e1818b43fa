import { and, desc, eq, sql } from "drizzle-orm";
import { businessRepo } from "../businesses/index.ts";
import type { Db } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import type { Move } from "./move.ts";
import { businessMoves } from "./tables.ts";

const t = businessMoves;

/** Moves in CORE. A write based on an outdated version changes nothing and throws CONFLICT. */
export function moveRepo(db: Db) {
  const asRead = ({ id, version }: Move) => and(eq(t.id, id), eq(t.version, version));
  const updatedColumns = ({ phase, position, rowsCopied, flippedAt, endedAt, version }: Move) =>
    ({ phase, position, rowsCopied, flippedAt, endedAt, version: version + 1 }) as const;

  return {
    /** The business's latest move; null when there was none. */
    async latest(businessId: string): Promise<Move | null> {
      const [move] = await db
        .select()
        .from(t)
        .where(eq(t.businessId, businessId))
        .orderBy(desc(t.id))
        .limit(1);
      return move ?? null;
    },

    /**
     * Inserts a move, unless one is open or the business has moved meanwhile. A move with an older
     * id than the latest one is refused too, because fences compare moves by id.
     */
    async begin(move: Move): Promise<void> {
      const row = { ...move, position: JSON.stringify(move.position) };
      // Reads businesses of businesses, so that a business that moved meanwhile inserts no row.
      const inserted = await db
        .insert(t)
        .select(
          sql`select ${row.id}, id, ${row.fromShard}, ${row.toShard}, ${row.phase}, ${row.position},
            ${row.rowsCopied}, ${row.version}, ${row.startedAt}, null, null
            from businesses where id = ${row.businessId} and shard = ${row.fromShard}
              and not exists (select 1 from ${t} as later
                where later.business_id = ${row.businessId} and later.id > ${row.id})`,
        )
        .onConflictDoNothing()
        .returning({ id: t.id });
      if (inserted.length === 0) throw moveConflict();
    },

    /** Saves the progress of a move that was read as `read`. */
    async save(read: Move, now: Move): Promise<Move> {
      const next = { ...now, version: read.version };
      const saved = await db
        .update(t)
        .set(updatedColumns(next))
        .where(asRead(read))
        .returning({ version: t.version });
      if (saved.length === 0) throw moveConflict();
      return { ...next, version: next.version + 1 };
    },

    /** As `save`, and assigns the business to the new shard in the same batch. */
    async flip(read: Move, now: Move, at: number): Promise<Move> {
      const next = { ...now, version: read.version, flippedAt: at };
      const [saved] = await db.batch([
        db
          .update(t)
          .set(updatedColumns(next))
          .where(asRead(read))
          .returning({ version: t.version }),
        businessRepo(db).setShard(
          { id: read.businessId, from: read.fromShard, to: read.toShard, now: at },
          sql`exists (select 1 from ${t} as flipped where flipped.id = ${read.id}
            and flipped.version = ${read.version + 1} and flipped.flipped_at = ${at})`,
        ),
      ]);
      if (saved.length === 0) throw moveConflict();
      return { ...next, version: next.version + 1 };
    },
  };
}

const moveConflict = () =>
  conflict("Another call goes on with this move; ask again.", { retryable: true });
