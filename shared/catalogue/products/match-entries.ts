import { invalid } from "../../kernel/index.ts";

type EntryKey<D, P> = (entry: D | P) => string | null;

/**
 * Matches each entry of a replacement list with a previous entry, whose id it then keeps. Entries
 * match by the id that was sent, otherwise by the keys in the given order. Null means a new entry.
 * When there are no previous entries, ids that were sent are ignored.
 *
 * @throws Refusal VALIDATION_ERROR for an id that is not in the previous list or sent twice.
 */
export function matchEntries<D extends { id?: string | undefined }, P extends { id: string }>(
  drafts: readonly D[],
  previous: readonly P[],
  {
    keys,
    field,
    idName = "id",
  }: { keys: readonly EntryKey<D, P>[]; field: string; idName?: string },
): (P | null)[] {
  if (previous.length === 0) return drafts.map(() => null);
  const unmatched = new Map(previous.map((entry) => [entry.id, entry]));
  const take = (entry: P | undefined): P | null =>
    entry && unmatched.delete(entry.id) ? entry : null;
  const matches = drafts.map(({ id }, index) => {
    const entry = id === undefined ? null : take(unmatched.get(id));
    if (id !== undefined && !entry)
      throw invalid(`${field}.${index}.${idName}`, "is not in the list, or there twice");
    return entry;
  });
  for (const keyOf of keys) {
    const entryByKey = new Map(
      [...unmatched.values()].reverse().map((entry) => [keyOf(entry), entry]),
    );
    drafts.forEach((draft, index) => {
      const key = matches[index] ? null : keyOf(draft);
      if (key !== null) matches[index] = take(entryByKey.get(key));
    });
  }
  return matches;
}
