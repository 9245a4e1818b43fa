import { env } from "cloudflare:workers";
import { derivedTables } from "../../../shared/moves/index.ts";

type Row = Readonly<Record<string, unknown>>;
type Table = Readonly<{ name: string; key: readonly string[] }>;
type Rows = ReadonlyMap<string, Row>;

/** Every row of a database, by table and key. */
type Book = ReadonlyMap<string, Rows>;

/** Every row of every database. */
export type Books = ReadonlyMap<string, Book>;

const databases = { CORE: env.CORE, SHOP_1: env.SHOP_1 } as const;
type Name = keyof typeof databases;
const names = Object.keys(databases) as Name[]; // safe: its own keys

/** Notes of when a key or a login was last used, which are made behind answers and now and then. */
const passing: Readonly<Record<string, string>> = {
  api_keys: "last_used_at",
  link_sessions: "last_used_at",
};

const tablesOf = new Map<Name, readonly Table[]>();

async function readTables(name: Name): Promise<readonly Table[]> {
  const known = tablesOf.get(name);
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
  tablesOf.set(name, tables);
  return tables;
}

/** All that stands in the databases of the one business there is. */
export const readBooks = (): Promise<Books> => readSome(new Map(), () => true);

/** As `readBooks`, where of all tables these alone were written to since. */
export const readAgain = (before: Books, written: ReadonlySet<string>): Promise<Books> =>
  readSome(before, ({ name }) => written.has(name) || derivedTables.includes(name));

async function readSome(before: Books, isRead: (table: Table) => boolean): Promise<Books> {
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[Name, Book]> => {
        const tables = (await readTables(name)).filter(isRead);
        const read = tables.length > 0 ? await readBook(name, tables) : new Map();
        return [name, new Map([...(before.get(name) ?? []), ...read])];
      }),
    ),
  );
}

async function readBook(name: Name, tables: readonly Table[]): Promise<Book> {
  const d1 = databases[name];
  const found = await d1.batch<Row>(
    tables.map((table) => d1.prepare(`select * from "${table.name}"`)),
  );
  return new Map(
    tables.map((table, index) => [table.name, byKey(table, found[index]?.results ?? [])]),
  );
}

const byKey = ({ name, key }: Table, rows: readonly Row[]): Rows =>
  new Map(
    rows.map((row) => [
      JSON.stringify(key.length > 0 ? key.map((column) => row[column]) : row),
      without(row, passing[name]),
    ]),
  );

const without = (row: Row, column: string | undefined): Row =>
  column === undefined ? row : { ...row, [column]: null };

/** One row, before and after; null where it was not, or is no more. */
export type Difference = Readonly<{
  database: Name;
  table: Table;
  before: Row | null;
  after: Row | null;
}>;

export async function differencesOf(before: Books, after: Books): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const database of names) {
    for (const table of await readTables(database)) {
      const was = before.get(database)?.get(table.name) ?? new Map<string, Row>();
      const is = after.get(database)?.get(table.name) ?? new Map<string, Row>();
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

const isSame = (one: Row, other: Row): boolean =>
  Object.entries(one).every(([column, value]) => other[column] === value);

/** Puts the databases back to what stood in them before. */
export async function undo(differences: readonly Difference[]): Promise<void> {
  for (const name of names) {
    const own = differences.filter(({ database }) => database === name);
    if (own.length === 0) continue;
    const d1 = databases[name];
    const base = own.filter((one) => !isDerived(one));
    const derived = own.filter(isDerived).toSorted((one, other) => rankOf(one) - rankOf(other));
    await d1.batch([
      d1.prepare("pragma defer_foreign_keys = on"),
      ...base.flatMap((one) => undoing(d1, one)),
      ...derived.flatMap((one) => rewriting(d1, one)), // behind the triggers that write them
    ]);
  }
}

const isDerived = ({ table }: Difference): boolean => derivedTables.includes(table.name);
/** Those are last that the triggers of others count in. */
const rankOf = ({ table }: Difference): number => derivedTables.indexOf(table.name);

/** A row that changed stays the row that others name. */
function undoing(d1: D1Database, { table, before, after }: Difference): D1PreparedStatement[] {
  if (before === null) return after === null ? [] : [deleting(d1, table, after)];
  if (after === null) return [inserting(d1, table, before)];
  const changed = Object.keys(before).filter((column) => before[column] !== after[column]);
  const where = keyOf(table, after);
  return [
    d1
      .prepare(
        `update "${table.name}" set ${changed.map((column) => `"${column}" = ?`).join(", ")} where ${conditionOf(where)}`,
      )
      .bind(...changed.map((column) => before[column]), ...where.map((column) => after[column])),
  ];
}

function rewriting(d1: D1Database, { table, before, after }: Difference): D1PreparedStatement[] {
  if (before !== null) return [inserting(d1, table, before)];
  return after === null ? [] : [deleting(d1, table, after)];
}

const keyOf = ({ key }: Table, row: Row): readonly string[] =>
  key.length > 0 ? key : Object.keys(row);

const conditionOf = (columns: readonly string[]): string =>
  columns.map((column) => `"${column}" is ?`).join(" and ");

function deleting(d1: D1Database, table: Table, row: Row): D1PreparedStatement {
  const where = keyOf(table, row);
  return d1
    .prepare(`delete from "${table.name}" where ${conditionOf(where)}`)
    .bind(...where.map((column) => row[column]));
}

function inserting(d1: D1Database, { name }: Table, row: Row): D1PreparedStatement {
  const columns = Object.keys(row);
  return d1
    .prepare(
      `insert or replace into "${name}" (${columns.map((column) => `"${column}"`).join(", ")})
       values (${columns.map(() => "?").join(", ")})`,
    )
    .bind(...columns.map((column) => row[column]));
}
