import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.ts";
import { isUnfenced } from "./conditions.ts";

/**
 * The rows that a job processes. A row is due `afterMs` after the time `since`. An index must begin
 * with `since`; its condition, if it has one, is `condition`.
 */
export type DueRows = Readonly<{
  table: SQLiteTable;
  since: SQLWrapper;
  afterMs?: number;
  condition?: SQL;
  /** The column with the row's business; null in CORE, where no business is fenced. */
  businessId: SQLWrapper | null;
}>;

/**
 * When the row that is due longest became due; null when none is. This is how far a job is behind,
 * and one statement finds it in all of the job's tables.
 */
export async function findOldestDue(
  db: Db,
  rows: readonly DueRows[],
  now: number,
): Promise<number | null> {
  // D1 allows no more than five selects in a union, and any number of rows of values.
  const times = rows.map((due) => sql`((${oldestOf(due, now)}))`);
  const [oldest] = await db
    .select({ dueAt: sql<number | null>`min(found.column1)` })
    .from(sql`(values ${sql.join(times, sql`, `)}) as found`);
  return oldest?.dueAt ?? null;
}

const oldestOf = (
  { table, since, afterMs = 0, condition, businessId }: DueRows,
  now: number,
): SQL => sql`select ${since} + ${afterMs} from ${table}
    where ${since} <= ${now - afterMs} and ${condition ?? sql`true`}
      and ${businessId === null ? sql`true` : isUnfenced(businessId)}
    order by ${since} limit 1`;
