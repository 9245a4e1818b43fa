/**
 * What a database stores: for each table, the bytes of its rows and of their index entries, as SQLite's
 * file format lays them out (sqlite.org/fileformat2.html, Record Format), without the room that its
 * pages leave free. D1 tells the size of a whole database alone, in pages.
 *
 * @param owners which rows count: by a column and its value, the first that a table has.
 */
export async function storedBytes(
  d1: D1Database,
  owners: Readonly<Record<string, string>>,
): Promise<Map<string, number>> {
  const { results: tables } = await d1
    .prepare(
      "select name, sql from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'",
    )
    .all<{ name: string; sql: string }>();
  const sizes = new Map<string, number>();
  for (const { name, sql } of tables) {
    const [column, value] = Object.entries(owners).find(([known]) => sql.includes(known)) ?? [];
    if (column === undefined || value === undefined || /virtual/i.test(sql)) continue;
    const rows = await rowsOf(d1, { table: name, column, value });
    const bytes = sum(rows.map((row) => cellBytes(Object.values(row), rowidBytes)));
    sizes.set(name, bytes + sum(await entriesOf(d1, { table: name, column, value })));
  }
  return sizes;
}

type Of = Readonly<{ table: string; column: string; value: string; partly?: string }>;

const rowsOf = async (d1: D1Database, { table, column, value, partly = "true" }: Of) =>
  (
    await d1
      .prepare(`select * from "${table}" where "${column}" = ? and (${partly})`)
      .bind(value)
      .all<Record<string, unknown>>()
  ).results;

/** The bytes of each entry that the rows have in the table's indexes. */
async function entriesOf(d1: D1Database, of: Of): Promise<number[]> {
  const { results: indexes } = await d1
    .prepare(
      `select list.name, master.sql from pragma_index_list(?) as list
         left join sqlite_master as master on master.name = list.name`,
    )
    .bind(of.table)
    .all<{ name: string; sql: string | null }>();
  const entries = indexes.map(async ({ name, sql }) => {
    const { results: parts } = await d1
      .prepare("select name from pragma_index_xinfo(?)")
      .bind(name)
      .all<{ name: string | null }>();
    const partly = / where (.+)$/is.exec(sql ?? "")?.[1];
    const rows = await rowsOf(d1, { ...of, ...(partly && { partly }) });
    return rows.map((row) =>
      cellBytes(
        parts.map((part) => (part.name === null ? someRowid : row[part.name])),
        0,
      ),
    );
  });
  return (await Promise.all(entries)).flat();
}

/** Of a shop that has had some orders: three bytes. */
const someRowid = 100_000;
const rowidBytes = 3;

/** A cell of a B-tree's leaf, with the pointer that leads to it. */
function cellBytes(values: readonly unknown[], keyBytes: number): number {
  const header = sum(values.map((value) => varintBytes(serialType(value))));
  const payload = header + varintBytes(header + 1) + sum(values.map(valueBytes));
  return 2 + varintBytes(payload) + keyBytes + payload;
}

const encoder = new TextEncoder();

function valueBytes(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === "string") return encoder.encode(value).byteLength;
  if (typeof value !== "number") throw new Error(`What is ${typeof value} in a row?`);
  if (!Number.isInteger(value)) return 8;
  const bits = Math.ceil(Math.log2(Math.abs(value) + 1)) + 1;
  if (value === 0 || value === 1) return 0;
  return [1, 2, 3, 4, 6, 8].find((bytes) => bits <= bytes * 8) ?? 8;
}

/** Texts have their length in their type; every other type is one byte. */
const serialType = (value: unknown): number =>
  typeof value === "string" ? 13 + 2 * valueBytes(value) : 1;

const varintBytes = (value: number): number => (value < 128 ? 1 : value < 16_384 ? 2 : 3);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
