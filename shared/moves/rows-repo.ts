import type { Db } from "../database/index.ts";
import type { Move } from "./move.ts";
import type { MovedTable } from "./moved-tables.ts";

/** The columns of a moved table in one shard. */
export type TableLayout = Readonly<{
  table: MovedTable;
  /** The copied columns, in the same order for every shard. */
  columns: readonly string[];
  /** The columns that identify a row in every shard. */
  key: readonly string[];
}>;

/** A range of rowids that one statement scans, above `after` and up to `until`. */
export type RowidWindow = Readonly<{
  layout: TableLayout;
  after: number;
  until: number;
  /** The rowid to continue after; null when the table has no more rows. */
  next: number | null;
}>;

/** The business's rows in a window, each as a JSON array built by SQLite. */
export type RowPage = Readonly<{
  layout: TableLayout;
  rows: readonly string[];
  next: number | null;
}>;

/**
 * Rowids that one statement scans. The range includes other businesses' rows, and D1 ends a query
 * after 30 seconds.
 */
const rowidsPerWindow = 50_000;
/** Tables that one batch scans. Most tables are small enough for one window. */
const maxTablesPerBatch = 10;
/** Smaller than `rowidsPerWindow`, because a delete runs triggers for each row. */
const rowidsPerDeletion = 5_000;
const maxRowsPerPage = 500;
/** The size of a page, which one row may exceed. D1 allows 2 MB for a bound parameter. */
const maxCharactersPerPage = 200_000;
/** D1 allows 32 arguments per function call; more columns are split into groups. */
const columnsPerGroup = 30;

/** Reads the columns of the moved tables, sorted by name so that shards can be compared. */
export async function readLayouts(
  db: Db,
  tables: readonly MovedTable[],
): Promise<readonly TableLayout[]> {
  const { results } = await db.$client
    .prepare(
      `select named.value as "table", own.name, own.pk from json_each(?) as named
        join pragma_table_info(named.value) as own order by own.name`,
    )
    .bind(JSON.stringify(tables.map(({ name }) => name)))
    .all<{ table: string; name: string; pk: number }>();
  return tables.map((table): TableLayout => {
    const found = results.filter((column) => column.table === table.name);
    const columns = found
      .map(({ name }) => name)
      .filter((name) => !table.generatedColumns?.includes(name));
    return {
      table,
      columns,
      key: table.key ?? found.filter(({ pk }) => pk > 0).map(({ name }) => name),
    };
  });
}

/**
 * A business's rows in one shard. They are read in windows of rowids, because not every table has
 * an index by business. A write lifts the fence and closes it again in one batch, and changes
 * nothing when the fence belongs to a later move.
 */
export function rowsRepo(db: Db, { id: moveId, businessId }: Pick<Move, "id" | "businessId">) {
  const d1 = db.$client;
  // Writes the table business_fences of shared/database. Does nothing unless the move holds the
  // business's fence.
  const fence = (from: "closed" | "lifted", to: "closed" | "lifted") =>
    d1
      .prepare(
        "update business_fences set state = ? where business_id = ? and move_id = ? and state = ?",
      )
      .bind(to, businessId, moveId, from);

  return {
    /**
     * The next windows of these tables, starting after rowid `from` in the first table. The last
     * window may end within its table; all earlier ones reach the end of theirs.
     */
    async windows(
      layouts: readonly TableLayout[],
      from: number,
      size: "read" | "delete",
    ): Promise<readonly RowidWindow[]> {
      const rowids = size === "read" ? rowidsPerWindow : rowidsPerDeletion;
      const group = layouts.slice(0, maxTablesPerBatch);
      const ends = await d1.batch<{ last: number }>(
        group.map(({ table }) =>
          d1.prepare(`select coalesce(max(rowid), 0) as last from ${table.name}`),
        ),
      );
      const windows = group.map((layout, index): RowidWindow => {
        const after = index === 0 ? from : 0;
        const until = after + rowids;
        const isEnd = (ends[index]?.results[0]?.last ?? 0) <= until;
        return { layout, after, until, next: isEnd ? null : until };
      });
      return throughFirstUnfinished(windows);
    },

    async pages(windows: readonly RowidWindow[]): Promise<readonly RowPage[]> {
      const found = await d1.batch<{ at: number; row: string }>(
        windows.map(({ layout, after, until }) =>
          d1
            .prepare(
              `select at, row from (
                 select at, row, sum(length(row)) over (order by at) - length(row) as before from (
                   select stored.rowid as at, ${rowJson(layout, "stored")} as row
                   from ${layout.table.name} as stored
                   where stored.rowid > ?1 and stored.rowid <= ?2 and +${layout.table.businessIdOf("stored")} = ?3
                   order by stored.rowid limit ?4))
               where before < ?5 order by at`,
            )
            .bind(after, until, businessId, maxRowsPerPage, maxCharactersPerPage),
        ),
      );
      const pages = windows.map(({ layout, next }, index): RowPage => {
        const results = found[index]?.results ?? [];
        const rows = results.map(({ row }) => row);
        // A full page may not contain all rows of its window.
        const isFull =
          rows.length === maxRowsPerPage || rows.join("").length >= maxCharactersPerPage;
        return { layout, rows, next: isFull ? (results.at(-1)?.at ?? next) : next };
      });
      return throughFirstUnfinished(pages);
    },

    /** Inserts the rows that the shard does not have yet, compared by key. */
    async insertMissing(pages: readonly RowPage[]): Promise<void> {
      const inserts = withRows(pages).map(({ layout, rows }) =>
        d1.prepare(insertStatement(layout)).bind(businessId, moveId, toJsonArray(rows)),
      );
      if (inserts.length === 0) return;
      await d1.batch([fence("closed", "lifted"), ...inserts, fence("lifted", "closed")]);
    },

    /**
     * Compares the pages with this shard's rows. Returns the table layout of the first page with a
     * missing or different row, or null when all rows are the same.
     */
    async findDifference(pages: readonly RowPage[]): Promise<TableLayout | null> {
      const compared = withRows(pages);
      if (compared.length === 0) return null;
      const found = await d1.batch<{ same: number }>(
        compared.map(({ layout, rows }) =>
          d1
            .prepare(
              `select count(*) as same from json_each(?1) as sent where exists (
                 select 1 from ${layout.table.name} as stored
                 where ${hasSameKey(layout)} and ${rowJson(layout, "stored")} = sent.value)`,
            )
            .bind(toJsonArray(rows)),
        ),
      );
      const different = compared.find(
        ({ rows }, index) => found[index]?.results[0]?.same !== rows.length,
      );
      return different?.layout ?? null;
    },

    /** The number of the business's rows in each window. */
    async countRows(windows: readonly RowidWindow[]): Promise<readonly number[]> {
      const found = await d1.batch<{ rows: number }>(
        windows.map(({ layout: { table }, after, until }) =>
          d1
            .prepare(
              `select count(*) as rows from ${table.name} as stored
               where stored.rowid > ?1 and stored.rowid <= ?2 and +${table.businessIdOf("stored")} = ?3`,
            )
            .bind(after, until, businessId),
        ),
      );
      return found.map(({ results: [counted] }) => counted?.rows ?? 0);
    },

    async deleteRows(windows: readonly RowidWindow[]): Promise<void> {
      const deletes = windows.map(({ layout: { table }, after, until }) =>
        d1
          .prepare(
            `delete from ${table.name} where rowid > ?3 and rowid <= ?4
             and +${table.businessIdOf(table.name)} = ?1 and ${isLifted}`,
          )
          .bind(businessId, moveId, after, until),
      );
      await d1.batch([fence("closed", "lifted"), ...deletes, fence("lifted", "closed")]);
    },
  };
}

const insertStatement = (layout: TableLayout): string =>
  `insert into ${layout.table.name} (${layout.columns.map(quoteName).join(", ")})
   select ${layout.columns.map((name) => sentValue(layout.columns, name)).join(", ")}
   from json_each(?3) as sent
   where ${isLifted} and not exists (
     select 1 from ${layout.table.name} as stored where ${hasSameKey(layout)})`;

/**
 * SQL that is true in a batch that has lifted the fence. Reads the table business_fences of
 * shared/database.
 */
const isLifted = `exists (select 1 from business_fences as fence
  where fence.business_id = ?1 and fence.move_id = ?2 and fence.state = 'lifted')`;

const withRows = (pages: readonly RowPage[]) => pages.filter(({ rows }) => rows.length > 0);

function throughFirstUnfinished<T extends { next: number | null }>(
  all: readonly T[],
): readonly T[] {
  const unfinished = all.findIndex(({ next }) => next !== null);
  return unfinished === -1 ? all : all.slice(0, unfinished + 1);
}

const quoteName = (name: string): string => `"${name}"`;

function columnGroups(columns: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(columns.length / columnsPerGroup);
  return Array.from({ length: count }, (_, group) =>
    columns.slice(group * columnsPerGroup, (group + 1) * columnsPerGroup),
  );
}

/** SQL for a row as JSON: an array of column groups, each an array of values. */
const rowJson = ({ columns }: Pick<TableLayout, "columns">, row: string): string =>
  `json_array(${columnGroups(columns)
    .map((group) => `json_array(${group.map((name) => `${row}.${quoteName(name)}`).join(", ")})`)
    .join(", ")})`;

/** A row as `RowPage` has it, from its values by column. */
export const toRowJson = (
  { columns }: Pick<TableLayout, "columns">,
  row: Readonly<Record<string, string | number | null>>,
): string =>
  JSON.stringify(columnGroups(columns).map((group) => group.map((name) => row[name] ?? null)));

/** Rows are JSON already. As texts in JSON they would be longer, and D1 allows a parameter 2 MB. */
const toJsonArray = (rows: readonly string[]): string => `[${rows.join()}]`;

/** SQL for the value of one column in a row that was sent as JSON. */
function sentValue(columns: readonly string[], name: string): string {
  const at = columns.indexOf(name);
  return `(sent.value ->> '$[${Math.floor(at / columnsPerGroup)}][${at % columnsPerGroup}]')`;
}

const hasSameKey = ({ columns, key }: Pick<TableLayout, "columns" | "key">): string =>
  key.map((name) => `stored.${quoteName(name)} = ${sentValue(columns, name)}`).join(" and ");
