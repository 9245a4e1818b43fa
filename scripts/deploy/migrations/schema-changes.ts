import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";

type Column = Readonly<{ isRequired: boolean }>;
type UniqueIndex = Readonly<{ columns: readonly string[]; condition: string }>;
type Table = Readonly<{
  columns: ReadonlyMap<string, Column>;
  unique: readonly UniqueIndex[];
}>;

/** The parts of a schema on which the queries of a running Worker depend. */
export type DatabaseSchema = Readonly<{
  tables: ReadonlyMap<string, Table>;
  views: ReadonlySet<string>;
}>;

const Columns = z.array(
  z.object({ table: z.string(), column: z.string(), isRequired: z.number() }),
);
const IndexColumns = z.array(
  z.object({
    table: z.string(),
    index: z.string(),
    column: z.string().nullable(),
    sql: z.string().nullable(),
  }),
);
const Views = z.array(z.object({ name: z.string() }));

const columnsQuery = `
  SELECT t.name AS "table", c.name AS "column",
    (c."notnull" OR c.pk > 0) AND c.dflt_value IS NULL AND c.hidden = 0 AS isRequired
  FROM sqlite_master t JOIN pragma_table_xinfo(t.name) c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`;
const uniqueColumnsQuery = `
  SELECT t.name AS "table", i.name AS "index", c.name AS "column", s.sql
  FROM sqlite_master t
  JOIN pragma_index_list(t.name) i ON i."unique" = 1
  JOIN pragma_index_info(i.name) c
  LEFT JOIN sqlite_master s ON s.name = i.name
  WHERE t.type = 'table'
  ORDER BY t.name, i.name, c.seqno`;

export function readSchema(database: DatabaseSync): DatabaseSchema {
  const columns = Columns.parse(database.prepare(columnsQuery).all());
  const indexed = IndexColumns.parse(database.prepare(uniqueColumnsQuery).all());
  const views = Views.parse(
    database.prepare("SELECT name FROM sqlite_master WHERE type = 'view'").all(),
  );
  const indexedIn = Map.groupBy(indexed, ({ table }) => table);
  const tables = [...Map.groupBy(columns, ({ table }) => table)].map(([table, rows]) => {
    const indexes = Map.groupBy(indexedIn.get(table) ?? [], ({ index }) => index);
    return [
      table,
      {
        columns: new Map(rows.map((row) => [row.column, { isRequired: row.isRequired === 1 }])),
        unique: [...indexes.values()].map(toUniqueIndex),
      },
    ] as const;
  });
  return { tables: new Map(tables), views: new Set(views.map(({ name }) => name)) };
}

function toUniqueIndex(rows: z.infer<typeof IndexColumns>): UniqueIndex {
  const [, condition = ""] = rows[0]?.sql?.split(/\bwhere\b/i) ?? [];
  return {
    columns: rows.map(({ column }) => column ?? "(expression)"),
    condition: condition.trim(),
  };
}

/** What breaks a Worker that was written for the schema before, with what to do instead. */
export function changesBetween(before: DatabaseSchema, after: DatabaseSchema): string[] {
  const views = [...before.views].filter((name) => !after.views.has(name));
  return [
    ...views.map((name) => removed(`the view ${name}`)),
    ...[...before.tables].flatMap(([name, table]) => {
      const changed = after.tables.get(name);
      return changed ? changesOfTable(name, table, changed) : [removed(`the table ${name}`)];
    }),
  ];
}

function changesOfTable(name: string, before: Table, after: Table): string[] {
  const missing = [...before.columns.keys()].filter((column) => !after.columns.has(column));
  const required = [...after.columns].filter(
    ([column, { isRequired }]) => isRequired && before.columns.get(column)?.isRequired !== true,
  );
  const existing = new Set(before.unique.map(describeIndex));
  const unique = after.unique.filter(
    (index) =>
      !existing.has(describeIndex(index)) &&
      // A new column is null in every row that there is.
      index.columns.every((column) => before.columns.has(column)),
  );
  return [
    ...missing.map((column) => removed(`the column ${name}.${column}`)),
    ...required.map(
      ([column]) =>
        `${name}.${column} is required without a default, so the running Workers cannot insert rows. Give it a default or allow null, write it in this release, and require it in a later one.`,
    ),
    ...unique.map(
      (index) =>
        `${name} has a new unique index on ${describeIndex(index)}. Rows that exist or that the running Workers write may break it. Write only unique values in this release, correct the rows that exist, and add the index in a later one.`,
    ),
  ];
}

const describeIndex = ({ columns, condition }: UniqueIndex): string =>
  `${columns.join(", ")}${condition === "" ? "" : ` where ${condition}`}`;

const removed = (what: string): string =>
  `${what} is removed or renamed, and the running Workers use it. Add the new one and stop using the old one in this release, and remove it in a later one.`;
