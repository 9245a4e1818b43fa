import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { businesses } from "../businesses/tables.ts";
import { document, instant, oneOf } from "../database/columns.ts";
import { type MovePhase, type MovePosition, movePhases } from "./move.ts";

/**
 * Moves of businesses between shards, stored in CORE. A row alone tells what remains to be done.
 */
export const businessMoves = sqliteTable(
  "business_moves",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    fromShard: text("from_shard").notNull(),
    toShard: text("to_shard").notNull(),
    phase: text("phase").$type<MovePhase>().notNull(),
    position: document<MovePosition>("position").notNull(),
    rowsCopied: integer("rows_copied").notNull(),
    /** Raised by every save. An update based on an older version changes nothing. */
    version: integer("version").notNull(),
    startedAt: instant("started_at").notNull(),
    /** When CORE named the new shard. Null before that, and for a cancelled move. */
    flippedAt: instant("flipped_at"),
    endedAt: instant("ended_at"),
  },
  (t) => [
    uniqueIndex("business_moves_one_open").on(t.businessId).where(sql`ended_at is null`),
    index("business_moves_by_business").on(t.businessId, t.id),
    check("business_moves_phase", oneOf(t.phase, movePhases)),
  ],
);
