import type { Difference } from "./books.ts";
import type { Stored } from "./stored.ts";

const identifier = /\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/** Every identifier in a text. */
export const identifiersIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(identifier)].map(([id]) => id));

/**
 * A text without what differs between any two calls: new identifiers, times, and any
 * long word: digests, tokens, what is sealed.
 */
export const masked = (text: string, known: ReadonlySet<string>): string =>
  text
    .replaceAll(identifier, (id, kind) => (known.has(id) ? id : `${kind}_new`))
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "time")
    .replaceAll(/\b[12]\d{12}\b/g, "time")
    .replaceAll(/(?:lnk_)?eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "token")
    .replaceAll(/(?<![\w:/.+-])[\w+/-]{24,}={0,2}/g, (word) => (known.has(word) ? word : "word"));

/** What a call changed in the databases, a line for each row as it was and as it is. */
export const linesOf = (
  differences: readonly Difference[],
  known: ReadonlySet<string>,
): readonly string[] =>
  differences
    .map(({ table: { name }, before, after }) => {
      if (before && after) return `~ ${name} ${JSON.stringify(changedIn(before, after))}`;
      return `${after ? "+" : "-"} ${name} ${JSON.stringify(shown(name, after ?? before ?? {}))}`;
    })
    .map((line) => masked(line, known))
    .toSorted();

type Row = Readonly<Record<string, unknown>>;

/** A kept answer is sealed anew each time. */
const shown = (table: string, row: Row): Row =>
  table === "idempotency_keys" && row.status !== null
    ? { ...row, body: "sealed" }
    : unnumbered(row);

/** The row's own identifier, and of its columns those that are others now. */
const changedIn = (before: Row, after: Row) =>
  Object.fromEntries(
    Object.entries(after).filter(([column, value]) => column === "id" || before[column] !== value),
  );

/** What a call changed in the objects. */
export function storedLines(
  before: readonly Stored[],
  after: readonly Stored[],
  known: ReadonlySet<string>,
): readonly string[] {
  const [was, is] = [before, after].map((stored) => new Set(stored.flatMap(linesIn)));
  return [
    ...[...(was ?? [])].filter((line) => !is?.has(line)).map((line) => `- ${line}`),
    ...[...(is ?? [])].filter((line) => !was?.has(line)).map((line) => `+ ${line}`),
  ]
    .map((line) => masked(line, known))
    .toSorted();
}

const linesIn = ({ values, tables }: Stored): readonly string[] => [
  ...values.map(([key, value]) => `object ${key} ${JSON.stringify(value)}`),
  ...tables.flatMap(([name, rows]) =>
    rows.map((row) => `object ${name} ${JSON.stringify(unnumbered(row))}`),
  ),
];

/** SQLite goes on counting where rows were taken away again. */
const unnumbered = ({ id, ...row }: Row): Row => (typeof id === "number" ? row : { id, ...row });
