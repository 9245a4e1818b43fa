import type { Db } from "../database/index.ts";
import type { Move } from "./move.ts";
import type { MovedTable } from "./moved-tables.ts";

/** A moved table as a shard has it. */
export type Layout = Readonly<{
  table: MovedTable;
  /** The columns that go along, in the same order in every shard. */
  columns: readonly string[];
  /** Those that name a row in every shard. */
  key: readonly string[];
}>;

/** A stretch of a table's rowids that one statement looks through. */
export type Window = Readonly<{
  layout: Layout;
  after: number;
  until: number;
  /** Where to go on in this table; null at its end. */
  next: number | null;
}>;

/** A business's rows of a window, each as JSON in the words of SQLite. */
export type Page = Readonly<{ layout: Layout; rows: readonly string[]; next: number | null }>;

/** What one statement looks through at most: D1 ends a query after 30 seconds (rows of others stand between). */
const rowidsAtOnce = 50_000;
/** Of so many tables one batch looks through a window: most of a shard's tables are short. */
const tablesAtOnce = 10;
/** Deleting runs triggers, row by row. */
const rowidsDeletedAtOnce = 5_000;
const rowsAtOnce = 500;
/** A row more at most; a statement's parameter may have 2 MB. */
const charactersAtOnce = 200_000;
/** SQLite in D1 takes 32 arguments for a function. */
const columnsOfGroup = 30;

/** How the shard has the tables that are moved; in this order, whatever the order of their columns there. */
export async function readLayouts(
  db: Db,
  tables: readonly MovedTable[],
): Promise<readonly Layout[]> {
  const { results } = await db.$client
    .prepare(
      `select named.value as "table", own.name, own.pk from json_each(?) as named
        join pragma_table_info(named.value) as own order by own.name`,
    )
    .bind(JSON.stringify(tables.map(({ name }) => name)))
    .all<{ table: string; name: string; pk: number }>();
  return tables.map((table): Layout => {
    const found = results.filter((column) => column.table === table.name);
    const columns = found.map(({ name }) => name).filter((name) => !table.own?.includes(name));
    return {
      table,
      columns,
      key: table.key ?? found.filter(({ pk }) => pk > 0).map(({ name }) => name),
    };
  });
}

/**
 * A business's rows in one shard, in windows of rowids: no index of every table leads to its rows, and
 * a window bounds what a statement reads. What is written here is written while this move holds the
 * fence, and by no mover that came too late: the fence is lifted, asked and closed in one batch.
 */
export function rowsRepo(db: Db, { id: moveId, businessId }: Pick<Move, "id" | "businessId">) {
  const d1 = db.$client;
  const fence = (from: "closed" | "lifted", to: "closed" | "lifted") =>
    d1
      .prepare(
        "update business_fences set state = ? where business_id = ? and move_id = ? and state = ?",
      )
      .bind(to, businessId, moveId, from);

  return {
    /**
     * The next windows of the tables, from a place in the first of them: as many as are looked through
     * whole, and the one that is not. A table is begun when the one before it is done.
     */
    async windows(
      layouts: readonly Layout[],
      from: number,
      size: "read" | "delete",
    ): Promise<readonly Window[]> {
      const rowids = size === "read" ? rowidsAtOnce : rowidsDeletedAtOnce;
      const group = layouts.slice(0, tablesAtOnce);
      const ends = await d1.batch<{ last: number }>(
        group.map(({ table }) =>
          d1.prepare(`select coalesce(max(rowid), 0) as last from ${table.name}`),
        ),
      );
      const windows = group.map((layout, index): Window => {
        const after = index === 0 ? from : 0;
        const until = after + rowids;
        const isEnd = (ends[index]?.results[0]?.last ?? 0) <= until;
        return { layout, after, until, next: isEnd ? null : until };
      });
      return upToUnfinished(windows);
    },

    async pages(windows: readonly Window[]): Promise<readonly Page[]> {
      const found = await d1.batch<{ at: number; row: string }>(
        windows.map(({ layout, after, until }) =>
          d1
            .prepare(
              `select at, row from (
                 select at, row, sum(length(row)) over (order by at) - length(row) as before from (
                   select kept.rowid as at, ${jsonOf(layout, "kept")} as row
                   from ${layout.table.name} as kept
                   where kept.rowid > ?1 and kept.rowid <= ?2 and +${layout.table.owner("kept")} = ?3
                   order by kept.rowid limit ?4))
               where before < ?5 order by at`,
            )
            .bind(after, until, businessId, rowsAtOnce, charactersAtOnce),
        ),
      );
      const pages = windows.map(({ layout, next }, index): Page => {
        const results = found[index]?.results ?? [];
        const rows = results.map(({ row }) => row);
        // Full by number or by size: the window may hold more.
        const isFull = rows.length === rowsAtOnce || rows.join("").length >= charactersAtOnce;
        return { layout, rows, next: isFull ? (results.at(-1)?.at ?? next) : next };
      });
      return upToUnfinished(pages);
    },

    /** Writes rows that are not there yet; others of the same keys stay as they are. */
    async put(pages: readonly Page[]): Promise<void> {
      const inserts = withRows(pages).map(({ layout, rows }) =>
        d1.prepare(insertOf(layout)).bind(businessId, moveId, JSON.stringify(rows)),
      );
      if (inserts.length === 0) return;
      await d1.batch([fence("closed", "lifted"), ...inserts, fence("lifted", "closed")]);
    },

    /** The first of the pages whose rows do not stand here, the same in every column; null: all do. */
    async differing(pages: readonly Page[]): Promise<Layout | null> {
      const asked = withRows(pages);
      if (asked.length === 0) return null;
      const found = await d1.batch<{ same: number }>(
        asked.map(({ layout, rows }) =>
          d1
            .prepare(
              `select count(*) as same from json_each(?1) as sent where exists (
                 select 1 from ${layout.table.name} as kept
                 where ${sameKey(layout)} and ${jsonOf(layout, "kept")} = sent.value)`,
            )
            .bind(JSON.stringify(rows)),
        ),
      );
      const different = asked.find(
        ({ rows }, index) => found[index]?.results[0]?.same !== rows.length,
      );
      return different?.layout ?? null;
    },

    /** How many rows of the business each window holds. */
    async counts(windows: readonly Window[]): Promise<readonly number[]> {
      const found = await d1.batch<{ rows: number }>(
        windows.map(({ layout: { table }, after, until }) =>
          d1
            .prepare(
              `select count(*) as rows from ${table.name} as kept
               where kept.rowid > ?1 and kept.rowid <= ?2 and +${table.owner("kept")} = ?3`,
            )
            .bind(after, until, businessId),
        ),
      );
      return found.map(({ results: [counted] }) => counted?.rows ?? 0);
    },

    async remove(windows: readonly Window[]): Promise<void> {
      const deletes = windows.map(({ layout: { table }, after, until }) =>
        d1
          .prepare(
            `delete from ${table.name} where rowid > ?3 and rowid <= ?4
             and +${table.owner(table.name)} = ?1 and ${isLifted}`,
          )
          .bind(businessId, moveId, after, until),
      );
      await d1.batch([fence("closed", "lifted"), ...deletes, fence("lifted", "closed")]);
    },
  };
}

const insertOf = (layout: Layout): string =>
  `insert into ${layout.table.name} (${layout.columns.map(quoted).join(", ")})
   select ${layout.columns.map((name) => sentValue(layout.columns, name)).join(", ")}
   from json_each(?3) as sent
   where ${isLifted} and not exists (
     select 1 from ${layout.table.name} as kept where ${sameKey(layout)})`;

const isLifted = `exists (select 1 from business_fences as fence
  where fence.business_id = ?1 and fence.move_id = ?2 and fence.state = 'lifted')`;

const withRows = (pages: readonly Page[]) => pages.filter(({ rows }) => rows.length > 0);

function upToUnfinished<T extends { next: number | null }>(all: readonly T[]): readonly T[] {
  const unfinished = all.findIndex(({ next }) => next !== null);
  return unfinished === -1 ? all : all.slice(0, unfinished + 1);
}

const quoted = (name: string): string => `"${name}"`;

function groupsOf(columns: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(columns.length / columnsOfGroup);
  return Array.from({ length: count }, (_, group) =>
    columns.slice(group * columnsOfGroup, (group + 1) * columnsOfGroup),
  );
}

/** A row as JSON: its columns in groups. */
const jsonOf = ({ columns }: Pick<Layout, "columns">, row: string): string =>
  `json_array(${groupsOf(columns)
    .map((group) => `json_array(${group.map((name) => `${row}.${quoted(name)}`).join(", ")})`)
    .join(", ")})`;

/** A column of a row that came as JSON. */
function sentValue(columns: readonly string[], name: string): string {
  const at = columns.indexOf(name);
  return `(sent.value ->> '$[${Math.floor(at / columnsOfGroup)}][${at % columnsOfGroup}]')`;
}

const sameKey = ({ columns, key }: Pick<Layout, "columns" | "key">): string =>
  key.map((name) => `kept.${quoted(name)} = ${sentValue(columns, name)}`).join(" and ");
