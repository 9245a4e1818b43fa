import { env } from "cloudflare:workers";
import { derivedTables } from "../../../shared/moves/index.ts";

type DatabaseRow = Readonly<Record<string, unknown>>;
type TableKey = Readonly<{ name: string; key: readonly string[] }>;
type RowsByKey = ReadonlyMap<string, DatabaseRow>;

/** Every row of one database, by table and key. */
type DatabaseRows = ReadonlyMap<string, RowsByKey>;

/** Every row of every database. */
export type AllRows = ReadonlyMap<string, DatabaseRows>;

const databases = { CORE: env.CORE, SHOP_1: env.SHOP_1 } as const;
type DatabaseName = keyof typeof databases;
const names = Object.keys(databases) as DatabaseName[]; // safe: its own keys

/** Columns with the time of last use; they are written after some responses. */
const lastUseColumns: Readonly<Record<string, string>> = {
  api_keys: "last_used_at",
  link_sessions: "last_used_at",
};

const tablesByDatabase = new Map<DatabaseName, readonly TableKey[]>();

async function readTables(name: DatabaseName): Promise<readonly TableKey[]> {
  const known = tablesByDatabase.get(name);
  if (known) return known;
  const { results } = await databases[name]
    .prepare(
      `select list.name, (select json_group_array(info.name) from pragma_table_info(list.name) as info
         where info.pk > 0) as key
       from pragma_table_list as list where schema = 'main' and type = 'table'
         and list.name not like 'sqlite\\_%' escape '\\' and list.name not like '\\_cf\\_%' escape '\\'
         and list.name <> 'd1_migrations'`,
    )
    .all<{ name: string; key: string }>();
  const tables = results.map(({ name, key }) => ({ name, key: JSON.parse(key) }));
  tablesByDatabase.set(name, tables);
  return tables;
}

/** Reads all rows of all databases. */
export const readAllRows = (): Promise<AllRows> => readTablesMatching(new Map(), () => true);

/** As `readAllRows`, but reads only tables that were written since then. */
export const readChangedTables = (
  before: AllRows,
  written: ReadonlySet<string>,
): Promise<AllRows> =>
  readTablesMatching(before, ({ name }) => written.has(name) || derivedTables.includes(name));

async function readTablesMatching(
  before: AllRows,
  isRead: (table: TableKey) => boolean,
): Promise<AllRows> {
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[DatabaseName, DatabaseRows]> => {
        const tables = (await readTables(name)).filter(isRead);
        const read = tables.length > 0 ? await readTableRows(name, tables) : new Map();
        return [name, new Map([...(before.get(name) ?? []), ...read])];
      }),
    ),
  );
}

async function readTableRows(
  name: DatabaseName,
  tables: readonly TableKey[],
): Promise<DatabaseRows> {
  const d1 = databases[name];
  const found = await d1.batch<DatabaseRow>(
    tables.map((table) => d1.prepare(`select * from "${table.name}"`)),
  );
  return new Map(
    tables.map((table, index) => [table.name, byKey(table, found[index]?.results ?? [])]),
  );
}

const byKey = ({ name, key }: TableKey, rows: readonly DatabaseRow[]): RowsByKey =>
  new Map(
    rows.map((row) => [
      JSON.stringify(key.length > 0 ? key.map((column) => row[column]) : row),
      withoutColumn(row, lastUseColumns[name]),
    ]),
  );

const withoutColumn = (row: DatabaseRow, column: string | undefined): DatabaseRow =>
  column === undefined ? row : { ...row, [column]: null };

/** A row before and after a change; null where it does not exist. */
export type RowChange = Readonly<{
  database: DatabaseName;
  table: TableKey;
  before: DatabaseRow | null;
  after: DatabaseRow | null;
}>;

export async function findRowChanges(before: AllRows, after: AllRows): Promise<RowChange[]> {
  const found: RowChange[] = [];
  for (const database of names) {
    for (const table of await readTables(database)) {
      const was = before.get(database)?.get(table.name) ?? new Map<string, DatabaseRow>();
      const is = after.get(database)?.get(table.name) ?? new Map<string, DatabaseRow>();
      for (const [key, row] of was) {
        const now = is.get(key) ?? null;
        if (now === null || !isSame(row, now))
          found.push({ database, table, before: row, after: now });
      }
      for (const [key, row] of is)
        if (!was.has(key)) found.push({ database, table, before: null, after: row });
    }
  }
  return found;
}

const isSame = (one: DatabaseRow, other: DatabaseRow): boolean =>
  Object.entries(one).every(([column, value]) => other[column] === value);

/** Reverts the changes. */
export async function revertRowChanges(differences: readonly RowChange[]): Promise<void> {
  for (const name of names) {
    const own = differences.filter(({ database }) => database === name);
    if (own.length === 0) continue;
    const d1 = databases[name];
    const base = own.filter((one) => !isDerived(one));
    const derived = own
      .filter(isDerived)
      .toSorted((one, other) => derivedTableOrder(one) - derivedTableOrder(other));
    await d1.batch([
      d1.prepare("pragma defer_foreign_keys = on"),
      ...base.flatMap((one) => revertStatements(d1, one)),
      ...derived.flatMap((one) => revertDerivedStatements(d1, one)), // after the triggers that write these tables
    ]);
  }
}

const isDerived = ({ table }: RowChange): boolean => derivedTables.includes(table.name);
/** A table is reverted after the tables whose triggers write to it. */
const derivedTableOrder = ({ table }: RowChange): number => derivedTables.indexOf(table.name);

/** An update keeps the row itself, because other rows refer to it. */
function revertStatements(
  d1: D1Database,
  { table, before, after }: RowChange,
): D1PreparedStatement[] {
  if (before === null) return after === null ? [] : [deleteStatement(d1, table, after)];
  if (after === null) return [insertStatement(d1, table, before)];
  const changed = Object.keys(before).filter((column) => before[column] !== after[column]);
  const where = keyColumns(table, after);
  return [
    d1
      .prepare(
        `update "${table.name}" set ${changed.map((column) => `"${column}" = ?`).join(", ")} where ${keyCondition(where)}`,
      )
      .bind(...changed.map((column) => before[column]), ...where.map((column) => after[column])),
  ];
}

function revertDerivedStatements(
  d1: D1Database,
  { table, before, after }: RowChange,
): D1PreparedStatement[] {
  if (before !== null) return [insertStatement(d1, table, before)];
  return after === null ? [] : [deleteStatement(d1, table, after)];
}

const keyColumns = ({ key }: TableKey, row: DatabaseRow): readonly string[] =>
  key.length > 0 ? key : Object.keys(row);

const keyCondition = (columns: readonly string[]): string =>
  columns.map((column) => `"${column}" is ?`).join(" and ");

function deleteStatement(d1: D1Database, table: TableKey, row: DatabaseRow): D1PreparedStatement {
  const where = keyColumns(table, row);
  return d1
    .prepare(`delete from "${table.name}" where ${keyCondition(where)}`)
    .bind(...where.map((column) => row[column]));
}

function insertStatement(
  d1: D1Database,
  { name }: TableKey,
  row: DatabaseRow,
): D1PreparedStatement {
  const columns = Object.keys(row);
  return d1
    .prepare(
      `insert or replace into "${name}" (${columns.map((column) => `"${column}"`).join(", ")})
       values (${columns.map(() => "?").join(", ")})`,
    )
    .bind(...columns.map((column) => row[column]));
}
