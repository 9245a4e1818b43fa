import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { businesses } from "../businesses/tables.ts";
import { document, instant, oneOf } from "../database/columns.ts";
import { type MovePhase, movePhases, type Position } from "./move.ts";

/** Moves of businesses between shards, in CORE: what is left to do is derived from here alone. */
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
    position: document<Position>("position").notNull(),
    rowsCopied: integer("rows_copied").notNull(),
    /** Grows with every step that is written down: of two movers one is told to look again. */
    version: integer("version").notNull(),
    startedAt: instant("started_at").notNull(),
    /** From then on the new shard is the business's; null before, and for good where it was called off. */
    flippedAt: instant("flipped_at"),
    endedAt: instant("ended_at"),
  },
  (t) => [
    uniqueIndex("business_moves_one_open").on(t.businessId).where(sql`ended_at is null`),
    index("business_moves_by_business").on(t.businessId, t.id),
    check("business_moves_phase", oneOf(t.phase, movePhases)),
  ],
);
