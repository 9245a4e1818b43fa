import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
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
