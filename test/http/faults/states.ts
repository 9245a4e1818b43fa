import type { Answer } from "../../support/world.ts";
import { differencesOf } from "./books.ts";
import { identifiersIn, linesOf, masked, storedLines } from "./masks.ts";
import type { State } from "./world.ts";

/** What is between two states, a line for each row and file, as any two calls alike would have it. */
export async function changesOf(before: State, after: State): Promise<readonly string[]> {
  const known = knownIn(before);
  const files = [
    ...[...before.files.keys()].filter((key) => !after.files.has(key)).map((key) => `- ${key}`),
    ...[...after.files.keys()].filter((key) => !before.files.has(key)).map((key) => `+ ${key}`),
  ];
  return [
    ...linesOf(await differencesOf(before.books, after.books), known),
    ...storedLines(before.stored, after.stored, known),
    ...files.map((line) => masked(line, known)),
  ];
}

/** An answer, as any two calls alike would have it. */
export const told = ({ status, body }: Answer, before: State): string =>
  `${status} ${masked(JSON.stringify(body), knownIn(before))}`;

const knownBy = new WeakMap<State, ReadonlySet<string>>();

function knownIn(state: State): ReadonlySet<string> {
  const known = knownBy.get(state) ?? identifiersIn(textOf(state));
  knownBy.set(state, known);
  return known;
}

const textOf = ({ books, stored }: State): string => {
  const tables = [...books.values()].flatMap((book) => [...book.values()]);
  return JSON.stringify([tables.map((rows) => [...rows.values()]), stored]);
};
