import { applyD1Migrations, type D1Migration } from "cloudflare:test";

/** Tables of rows: not SQLite's own, D1's own, the list of migrations, nor what a search index keeps. */
const tablesOfRows = `select name from pragma_table_list where schema = 'main' and type = 'table'
  and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
  and name <> 'd1_migrations' order by name <> 'business_fences', name`;

/** As many columns as one answer of D1 may have. */
const columnsAtMost = 100;

/** Those of this workerd, which serves many files, that have their tables. */
const migrated = new WeakSet<D1Database>();

/** Makes the database's tables, or empties them. */
export async function emptied(database: D1Database, migrations: D1Migration[]): Promise<void> {
  if (!migrated.has(database)) await applyD1Migrations(database, migrations);
  migrated.add(database);
  await empty(database);
}

/**
 * Deletes every row, a hundredth of what a new database costs. Fences go first, since they refuse
 * the deletion of what stands behind them.
 */
async function empty(database: D1Database): Promise<void> {
  const { results } = await database.prepare(tablesOfRows).all<{ name: string }>();
  const filled = await filledOf(
    database,
    results.map(({ name }) => name),
  );
  if (filled.length === 0) return;
  await database.batch([
    database.prepare("pragma defer_foreign_keys = on"),
    ...filled.map((name) => database.prepare(`delete from "${name}"`)),
  ]);
}

/** Those that hold a row, in the order given: most files fill a few tables, and many none. */
async function filledOf(database: D1Database, tables: readonly string[]): Promise<string[]> {
  const asked = [];
  for (let from = 0; from < tables.length; from += columnsAtMost) {
    const columns = tables.slice(from, from + columnsAtMost).map(holdsRows);
    asked.push(database.prepare(`select ${columns.join(", ")}`));
  }
  const answers = await database.batch<Record<string, number>>(asked);
  const filled = Object.assign({}, ...answers.flatMap(({ results }) => results));
  return tables.filter((name) => filled[name] === 1);
}

const holdsRows = (table: string): string => `exists (select 1 from "${table}") as "${table}"`;
