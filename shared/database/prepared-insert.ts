import { fillPlaceholders, type Placeholder, type Query, SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db, Write } from "./client.ts";

/** A query whose text was built before. */
class PreparedSql extends SQL {
  readonly #query: Query;

  constructor(query: Query) {
    super([]);
    this.#query = query;
  }

  override toQuery(): Query {
    return this.#query;
  }
}

/**
 * Defines an insert whose SQL is built once per isolate, because building it takes longer than D1
 * takes to run it. Use it for the rows that every order writes.
 *
 * @param build is called once. `value` returns the placeholder of a value. Do not use it for a JSON
 *   column that may be null, which would store the text "null".
 */
export function prepareInsert<Values extends Readonly<Record<string, unknown>>>(
  table: SQLiteTable,
  build: (
    db: Db,
    value: (name: keyof Values & string) => Placeholder,
  ) => Readonly<{ toSQL(): Query }>,
): (db: Db, values: Values) => Write {
  let prepared: Query | null = null;
  return (db, values) => {
    prepared ??= build(db, (name) => sql.placeholder(name)).toSQL();
    const params = fillPlaceholders(prepared.params, values);
    return insertAs(db, table, new PreparedSql({ sql: prepared.sql, params }));
  };
}

/** The beginning of an insert into all columns of a table, up to its values. */
const prefixes = new WeakMap<SQLiteTable, string>();

function prefixOf(db: Db, table: SQLiteTable): string {
  const prefix = prefixes.get(table) ?? db.insert(table).select(sql``).toSQL().sql;
  prefixes.set(table, prefix);
  return prefix;
}

/** Inserts the rows of a query into all columns of a table. Names the columns once per isolate. */
export const insertSelect = (db: Db, table: SQLiteTable, select: SQL): Write =>
  insertAs(db, table, sql`${sql.raw(prefixOf(db, table))}${select}`);

/** Inserts a row with the values of all columns, in their order and as the database stores them. */
export function insertValues(db: Db, table: SQLiteTable, params: readonly unknown[]): Write {
  const values = params.map(() => "?").join(", ");
  const query = { sql: `${prefixOf(db, table)}values (${values})`, params: [...params] };
  return insertAs(db, table, new PreparedSql(query));
}

/** An insert that has this SQL instead of what Drizzle would build. */
function insertAs(db: Db, table: SQLiteTable, statement: SQL): Write {
  const insert = db.insert(table).select(sql``);
  insert.getSQL = () => statement;
  return insert;
}
