import { getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db, Write } from "./client.ts";

type RowValues<T extends SQLiteTable> = {
  readonly [K in keyof T["$inferInsert"]]: T["$inferInsert"][K] | SQL;
};

/**
 * Inserts a row whose plain values, texts and numbers, are one bound parameter. Use it where the SQL among the values
 * has conditions that need many of the 100 parameters of a D1 statement.
 */
export function insertRow<T extends SQLiteTable>(db: Db, table: T, values: RowValues<T>): Write {
  const given: Readonly<Record<string, unknown>> = values;
  const record: Record<string, unknown> = {};
  const expressions: SQL[] = [];
  for (const [name, column] of Object.entries(getTableColumns(table))) {
    const value = given[name] === undefined ? column.default : given[name];
    if (is(value, SQL)) {
      expressions.push(value);
      continue;
    }
    record[name] =
      value === null || value === undefined
        ? null
        : requireJsonValue(name, column.mapToDriverValue(value));
    expressions.push(sql`json ->> ${sql.raw(`'${name}'`)}`);
  }
  return db
    .insert(table)
    .select(
      sql`select ${sql.join(expressions, sql`, `)} from (select ${JSON.stringify(record)} as json)`,
    );
}

/** A blob, NaN or an infinity would become another value in JSON. */
function requireJsonValue(name: string, value: unknown): unknown {
  if (typeof value === "string" || Number.isFinite(value)) return value;
  throw new Error(`insertRow cannot store the value of ${name}.`);
}
