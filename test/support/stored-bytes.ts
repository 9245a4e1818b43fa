/**
 * Computes for each table the bytes of its rows and their index entries by SQLite's record format
 * (sqlite.org/fileformat2.html), without free space in pages. D1 itself reports only whole pages.
 *
 * @param owners values by column: a table's rows count if its first such column has the value.
 */
export async function measureStoredBytes(
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
    const [column, value] = Object.entries(owners).find(([name]) => sql.includes(name)) ?? [];
    if (column === undefined || value === undefined || /virtual/i.test(sql)) continue;
    const rows = await selectBusinessRows(d1, { table: name, column, value });
    const bytes = sum(rows.map((row) => cellBytes(Object.values(row), rowidBytes)));
    sizes.set(name, bytes + sum(await indexEntryBytes(d1, { table: name, column, value })));
  }
  return sizes;
}

type BusinessRowsFilter = Readonly<{
  table: string;
  column: string;
  value: string;
  condition?: string;
}>;

const selectBusinessRows = async (
  d1: D1Database,
  { table, column, value, condition = "true" }: BusinessRowsFilter,
) =>
  (
    await d1
      .prepare(`select * from "${table}" where "${column}" = ? and (${condition})`)
      .bind(value)
      .all<Record<string, unknown>>()
  ).results;

/** The bytes of each index entry of the rows. */
async function indexEntryBytes(d1: D1Database, filter: BusinessRowsFilter): Promise<number[]> {
  const { results: indexes } = await d1
    .prepare(
      `select list.name, master.sql from pragma_index_list(?) as list
         left join sqlite_master as master on master.name = list.name`,
    )
    .bind(filter.table)
    .all<{ name: string; sql: string | null }>();
  const entries = indexes.map(async ({ name, sql }) => {
    const { results: columns } = await d1
      .prepare("select name from pragma_index_xinfo(?)")
      .bind(name)
      .all<{ name: string | null }>();
    const condition = / where (.+)$/is.exec(sql ?? "")?.[1];
    const rows = await selectBusinessRows(d1, { ...filter, ...(condition && { condition }) });
    return rows.map((row) =>
      cellBytes(
        columns.map((column) => (column.name === null ? sampleRowid : row[column.name])),
        0,
      ),
    );
  });
  return (await Promise.all(entries)).flat();
}

/** The rowid of a business with some orders takes three bytes. */
const sampleRowid = 100_000;
const rowidBytes = 3;

/** The bytes of a leaf cell of a B-tree and of the pointer to it. */
function cellBytes(values: readonly unknown[], keyBytes: number): number {
  const header = sum(values.map((value) => varintBytes(serialType(value))));
  const payload = header + varintBytes(header + 1) + sum(values.map(valueBytes));
  return 2 + varintBytes(payload) + keyBytes + payload;
}

const encoder = new TextEncoder();

function valueBytes(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === "string") return encoder.encode(value).byteLength;
  if (typeof value !== "number") throw new Error(`A row has a value of the type ${typeof value}.`);
  if (!Number.isInteger(value)) return 8;
  const bits = Math.ceil(Math.log2(Math.abs(value) + 1)) + 1;
  if (value === 0 || value === 1) return 0;
  return [1, 2, 3, 4, 6, 8].find((bytes) => bits <= bytes * 8) ?? 8;
}

/** A text's serial type contains its length; the other types take one byte. */
const serialType = (value: unknown): number =>
  typeof value === "string" ? 13 + 2 * valueBytes(value) : 1;

const varintBytes = (value: number): number => (value < 128 ? 1 : value < 16_384 ? 2 : 3);

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
