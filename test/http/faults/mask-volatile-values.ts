import type { RowChange } from "./database-rows.ts";
import type { ObjectStorage } from "./object-storage.ts";

const identifier = /\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/** Every identifier in a text. */
export const identifiersIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(identifier)].map(([id]) => id));

/**
 * Replaces everything that differs between two equal calls: new identifiers, times, and long words
 * such as digests, tokens and sealed values.
 */
export const maskVolatileValues = (text: string, known: ReadonlySet<string>): string =>
  text
    .replaceAll(identifier, (id, kind) => (known.has(id) ? id : `${kind}_new`))
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "time")
    .replaceAll(/\b[12]\d{12}\b/g, "time")
    .replaceAll(/\/pay\/[\w-]+/g, "/pay/token")
    .replaceAll(/(?:lnk_)?eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "token")
    .replaceAll(/(?<![\w:/.+-])[\w+/-]{24,}={0,2}/g, (word) => (known.has(word) ? word : "word"));

/** The changes in the databases, one line per row. */
export const rowChangeLines = (
  differences: readonly RowChange[],
  known: ReadonlySet<string>,
): readonly string[] =>
  differences
    .map(({ table: { name }, before, after }) => {
      if (before && after) return `~ ${name} ${JSON.stringify(changedColumns(before, after))}`;
      return `${after ? "+" : "-"} ${name} ${JSON.stringify(withoutVolatileColumns(name, after ?? before ?? {}))}`;
    })
    .map((line) => maskVolatileValues(line, known))
    .toSorted();

type TableRow = Readonly<Record<string, unknown>>;

/** A stored response is sealed differently each time. */
const withoutVolatileColumns = (table: string, row: TableRow): TableRow =>
  table === "idempotency_keys" && row.status !== null
    ? { ...row, body: "sealed" }
    : withoutRowNumber(row);

/** The row's identifier and its changed columns. */
const changedColumns = (before: TableRow, after: TableRow) =>
  Object.fromEntries(
    Object.entries(after).filter(([column, value]) => column === "id" || before[column] !== value),
  );

/** The changes in the objects, one line per value or row. */
export function objectChangeLines(
  before: readonly ObjectStorage[],
  after: readonly ObjectStorage[],
  known: ReadonlySet<string>,
): readonly string[] {
  const [was, is] = [before, after].map((stored) => new Set(stored.flatMap(objectLines)));
  return [
    ...[...(was ?? [])].filter((line) => !is?.has(line)).map((line) => `- ${line}`),
    ...[...(is ?? [])].filter((line) => !was?.has(line)).map((line) => `+ ${line}`),
  ]
    .map((line) => maskVolatileValues(line, known))
    .toSorted();
}

const objectLines = ({ values, tables }: ObjectStorage): readonly string[] => [
  ...values.map(([key, value]) => `object ${key} ${JSON.stringify(value)}`),
  ...tables.flatMap(([name, rows]) =>
    rows.map((row) => `object ${name} ${JSON.stringify(withoutRowNumber(row))}`),
  ),
];

/** Removes the row number: SQLite does not reuse those of deleted rows. */
const withoutRowNumber = ({ id, ...row }: TableRow): TableRow =>
  typeof id === "number" ? row : { id, ...row };
