import { type SQL, sql } from "drizzle-orm";
import {
  type DatabaseSize,
  type Db,
  type DueRows,
  databaseSizeOf,
  isUnfenced,
  maxDatabaseBytes,
} from "../database/index.ts";

/** D1's limit of columns in one result. */
const maxColumns = 100;
const migrationsTable = "d1_migrations";

/** What the operator's status says about a database. */
export type DatabaseFigures = DatabaseSize &
  Readonly<{
    maxBytes: number;
    /** How many rows its tables have at most. Deleted rows count while older and newer ones are left. */
    rows: number;
    /** The newest migration; null when the database keeps no list of them. */
    migration: string | null;
    /** What the queries of the caller counted, in their order. */
    counts: readonly number[];
  }>;

/**
 * Reads the figures of a database in two round trips, whose cost does not depend on its rows: the
 * range of a table's row ids is at the two ends of its index. D1 reports its size with each answer.
 *
 * @param counts queries of one number each, which are sent along.
 */
export async function readDatabaseFigures(
  db: Db,
  counts: readonly SQL<number>[] = [],
): Promise<DatabaseFigures> {
  const [{ meta }, tables, counted] = await db.batch([
    db.run(sql`select 1`),
    db.all<{ name: string }>(tablesQuery),
    // Drizzle binds the parameters of a batched query only when its builder made it.
    db.select({ value: sql<number>`value` }).from(sql`json_each(${jsonArrayOf(counts)})`),
  ]);
  const names = tables.map(({ name }) => name);
  const isListed = names.includes(migrationsTable);
  const chunks = Array.from({ length: Math.ceil(names.length / maxColumns) }, (_, index) =>
    names.slice(index * maxColumns, (index + 1) * maxColumns),
  );
  const newest = isListed
    ? sql`select name from ${sql.identifier(migrationsTable)} order by id desc limit 1`
    : sql`select null as name`;
  const [migrations, ...rows] = await db.batch([
    db.all<{ name: string | null }>(newest),
    ...chunks.map((chunk) =>
      db.all<Record<string, number>>(sql`select ${sql.join(chunk.map(rowRange), sql`, `)}`),
    ),
  ]);
  return {
    ...databaseSizeOf(meta.size_after),
    maxBytes: maxDatabaseBytes,
    rows: rows.flatMap(([row]) => Object.values(row ?? {})).reduce((sum, n) => sum + n, 0),
    migration: migrations[0]?.name ?? null,
    counts: counted.map(({ value }) => value),
  };
}

const jsonArrayOf = (counts: readonly SQL<number>[]): SQL =>
  counts.length === 0 ? sql`'[]'` : sql`json_array(${sql.join([...counts], sql`, `)})`;

/** Tables with row ids: neither a search index nor D1's and SQLite's own. */
const tablesQuery = sql`select name from pragma_table_list where schema = 'main' and type = 'table'
  and wr = 0 and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
  order by name`;

/** Each end of the range is a query of its own, because SQLite then reads one entry for it. */
const rowRange = (table: string): SQL => {
  const name = sql.identifier(table);
  return sql`ifnull((select max(rowid) from ${name}) - (select min(rowid) from ${name}) + 1, 0)
    as ${name}`;
};

/** How many rows are due, as a query for a batch. Counts at most `limit` of them. */
export const countDueRows = (
  { table, since, afterMs = 0, condition, businessId }: DueRows,
  { now, limit }: Readonly<{ now: number; limit: number }>,
): SQL<number> => sql<number>`(select count(*) from (select 1 from ${table}
    where ${since} <= ${now - afterMs} and ${condition ?? sql`true`}
      and ${businessId === null ? sql`true` : isUnfenced(businessId)} limit ${limit}))`;

/** How many businesses each shard holds. Reads the table businesses of businesses, in CORE. */
export async function countBusinessesByShard(core: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await core
    .select({ shard: sql<string>`shard`, count: sql<number>`count(*)` })
    .from(sql`businesses`)
    .groupBy(sql`shard`);
  return new Map(rows.map(({ shard, count }) => [shard, count]));
}
