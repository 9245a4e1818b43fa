import { applyD1Migrations, type D1Migration } from "cloudflare:test";

/**
 * The tables with rows of the service: neither SQLite's, D1's or a search index's own tables nor the
 * list of migrations. Fences come first, because they refuse the deletion of the rows they protect.
 */
const dataTablesQuery = `select name from pragma_table_list where schema = 'main' and type = 'table'
  and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
  and name <> 'd1_migrations' order by name <> 'business_fences', name`;

/** D1's limit of columns in one result. */
const maxColumns = 100;

/** The databases of this workerd, which runs many test files, that are migrated already. */
const migrated = new WeakSet<D1Database>();

/** Creates the database's tables, or empties them, which costs a hundredth of a new database. */
export async function resetDatabase(
  database: D1Database,
  migrations: D1Migration[],
): Promise<void> {
  if (!migrated.has(database)) await applyD1Migrations(database, migrations);
  migrated.add(database);
  await deleteAllRows(database);
}

async function deleteAllRows(database: D1Database): Promise<void> {
  const { results } = await database.prepare(dataTablesQuery).all<{ name: string }>();
  const tables = await findNonEmptyTables(
    database,
    results.map(({ name }) => name),
  );
  if (tables.length === 0) return;
  await database.batch([
    database.prepare("pragma defer_foreign_keys = on"),
    ...tables.map((name) => database.prepare(`delete from "${name}"`)),
  ]);
}

/** The tables that hold a row, in the same order. Most test files fill only a few. */
async function findNonEmptyTables(
  database: D1Database,
  tables: readonly string[],
): Promise<string[]> {
  const queries = [];
  for (let from = 0; from < tables.length; from += maxColumns) {
    const columns = tables.slice(from, from + maxColumns).map(hasRowsColumn);
    queries.push(database.prepare(`select ${columns.join(", ")}`));
  }
  const results = await database.batch<Record<string, number>>(queries);
  const hasRows = Object.assign({}, ...results.flatMap((result) => result.results));
  return tables.filter((name) => hasRows[name] === 1);
}

const hasRowsColumn = (table: string): string => `exists (select 1 from "${table}") as "${table}"`;
