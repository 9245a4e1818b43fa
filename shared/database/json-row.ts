import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * The columns of a table as one JSON array, so that one statement can read rows of several tables.
 * A function of D1 takes at most 32 arguments, which limits the columns.
 */
export const jsonRow = (table: SQLiteTable): SQL =>
  sql`json_array(${sql.join(Object.values(getTableColumns(table)), sql`, `)})`;

/** The row of a `jsonRow`. */
export function parseJsonRow<T extends SQLiteTable>(
  table: T,
  values: readonly unknown[],
): T["$inferSelect"] {
  const columns = Object.entries(getTableColumns(table));
  if (values.length !== columns.length)
    throw new Error(`A row has ${values.length} values for ${columns.length} columns.`);
  const fields = columns.map(([name, column], index) => {
    const value = values[index] ?? null;
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  // Safe: `jsonRow` selects these columns in this order.
  return Object.fromEntries(fields) as T["$inferSelect"];
}
