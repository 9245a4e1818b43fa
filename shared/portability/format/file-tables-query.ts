import { getTableColumns, getTableName, is, SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { omittedColumns } from "./exported-tables.ts";
import * as tables from "./tables.ts";

/** A column as a file has it. */
export type FileColumn = Readonly<{
  name: string;
  /** `document`: JSON, which the table stores as text. */
  type: "text" | "integer" | "flag" | "document";
  isNullable: boolean;
  /** Whether a row may leave the column out. */
  isOptional: boolean;
}>;

/** The columns that a file has of a table; not the business's id, which is in the first line. */
const columnsOf = (table: SQLiteTable): readonly FileColumn[] => {
  const omitted = omittedColumns[getTableName(table)] ?? [];
  return Object.values(getTableColumns(table))
    .filter(({ name }) => name !== "business_id" && !omitted.includes(name))
    .map(
      ({ name, dataType, notNull, hasDefault }): FileColumn => ({
        name,
        type: typeOf(dataType),
        isNullable: !notNull,
        isOptional: !notNull || hasDefault,
      }),
    );
};

function typeOf(dataType: string): FileColumn["type"] {
  switch (dataType) {
    case "json":
      return "document";
    case "boolean":
      return "flag";
    case "number":
      return "integer";
    default:
      return "text";
  }
}

/** The columns of each table of a file, by the table's name. */
export const fileColumns: ReadonlyMap<string, readonly FileColumn[]> = new Map(
  Object.values(tables).map((table) => [getTableName(table), columnsOf(table)]),
);

/** What the database stores in columns that a row of a file does not have, by table. */
export const storedDefaults: ReadonlyMap<
  string,
  Readonly<Record<string, string | number | null>>
> = new Map(
  Object.values(tables).map((table) => [
    getTableName(table),
    Object.fromEntries(
      Object.values(getTableColumns(table)).map((column) => [column.name, defaultOf(column)]),
    ),
  ]),
);

function defaultOf(column: SQLiteColumn): string | number | null {
  if (column.default === undefined || is(column.default, SQL)) return null;
  const value: unknown = column.mapToDriverValue(column.default);
  return typeof value === "boolean" ? Number(value) : toSqlValue(value);
}

function toSqlValue(value: unknown): string | number | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
