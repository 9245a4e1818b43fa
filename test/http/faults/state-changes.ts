import type { ApiResponse } from "../../support/world.ts";
import type { ShopState } from "./create-fault-world.ts";
import { findRowChanges } from "./database-rows.ts";
import {
  identifiersIn,
  maskVolatileValues,
  objectChangeLines,
  rowChangeLines,
} from "./mask-volatile-values.ts";

/** The changes between two states, one line per row and file, with volatile values masked. */
export async function findStateChanges(
  before: ShopState,
  after: ShopState,
): Promise<readonly string[]> {
  const known = identifiersOf(before);
  const files = [
    ...[...before.files.keys()].filter((key) => !after.files.has(key)).map((key) => `- ${key}`),
    ...[...after.files.keys()].filter((key) => !before.files.has(key)).map((key) => `+ ${key}`),
  ];
  return [
    ...rowChangeLines(await findRowChanges(before.books, after.books), known),
    ...objectChangeLines(before.stored, after.stored, known),
    ...files.map((line) => maskVolatileValues(line, known)),
  ];
}

/** A response with volatile values masked. */
export const maskedResponse = ({ status, body }: ApiResponse, before: ShopState): string =>
  `${status} ${maskVolatileValues(JSON.stringify(body), identifiersOf(before))}`;

const knownIdentifiers = new WeakMap<ShopState, ReadonlySet<string>>();

function identifiersOf(state: ShopState): ReadonlySet<string> {
  const known = knownIdentifiers.get(state) ?? identifiersIn(stateText(state));
  knownIdentifiers.set(state, known);
  return known;
}

const stateText = ({ books, stored }: ShopState): string => {
  const tables = [...books.values()].flatMap((book) => [...book.values()]);
  return JSON.stringify([tables.map((rows) => [...rows.values()]), stored]);
};
