import { type Column, getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db, Write } from "./client.ts";
import { insertSelect, insertValues } from "./prepared-insert.ts";

type RowValues<T extends SQLiteTable> = {
  readonly [K in keyof T["$inferInsert"]]: T["$inferInsert"][K] | SQL;
};

/**
 * Inserts a row. Use it for rows that every order writes, because its SQL is built in less time than
 * that of `db.insert`, and where SQL among the values needs many of the 100 parameters of a D1
 * statement: then all other values, texts and numbers, are one parameter.
 */
export function insertRow<T extends SQLiteTable>(db: Db, table: T, values: RowValues<T>): Write {
  const input: Readonly<Record<string, unknown>> = values;
  const cells = Object.entries(getTableColumns(table)).map(([name, column]) => ({
    ...{ name, column },
    value: input[name] === undefined ? column.default : input[name],
  }));
  if (cells.some(({ value }) => is(value, SQL))) return insertWithExpressions(db, table, cells);
  return insertValues(db, table, cells.map(toDriverValue));
}

type Cell = Readonly<{ name: string; column: Column; value: unknown }>;

const toDriverValue = ({ column, value }: Cell): unknown =>
  value === null || value === undefined ? null : column.mapToDriverValue(value);

function insertWithExpressions(db: Db, table: SQLiteTable, cells: readonly Cell[]): Write {
  const record: Record<string, unknown> = {};
  const expressions: SQL[] = [];
  let plain: string[] = [];
  /** Adds the plain columns so far as one text, because building SQL takes time for each part. */
  const addPlain = () => {
    if (plain.length > 0) expressions.push(sql.raw(plain.join(", ")));
    plain = [];
  };
  for (const cell of cells) {
    const { name, value } = cell;
    if (is(value, SQL)) {
      addPlain();
      expressions.push(value);
    } else {
      record[name] = requireJsonValue(name, toDriverValue(cell));
      plain.push(`json ->> '${name}'`);
    }
  }
  addPlain();
  const json = JSON.stringify(record);
  const row = sql`select ${sql.join(expressions, sql`, `)} from (select ${json} as json)`;
  return insertSelect(db, table, row);
}

/** A blob, NaN or an infinity would become another value in JSON. */
function requireJsonValue(name: string, value: unknown): unknown {
  if (value === null || typeof value === "string" || Number.isFinite(value)) return value;
  throw new Error(`insertRow cannot store the value of ${name}.`);
}
