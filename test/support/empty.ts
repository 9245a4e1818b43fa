/** Tables of rows: not SQLite's own, D1's own, the list of migrations, nor what a search index keeps. */
const tablesOfRows = `select name from pragma_table_list where schema = 'main' and type = 'table'
  and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
  and name <> 'd1_migrations' order by name <> 'business_fences', name`;

/**
 * Deletes every row, a twentieth of what a new database costs. Fences go first, since they refuse
 * the deletion of what stands behind them.
 */
export async function empty(database: D1Database): Promise<void> {
  const { results } = await database.prepare(tablesOfRows).all<{ name: string }>();
  await database.batch([
    database.prepare("pragma defer_foreign_keys = on"),
    ...results.map(({ name }) => database.prepare(`delete from "${name}"`)),
  ]);
}
