import { invalid } from "../../kernel/index.ts";

type Key<D, P> = (entry: D | P) => string | null;

/**
 * Pairs the entries of a replaced list with those of the old one, so that what stays keeps its id:
 * by the id that was sent, else by each key in turn, the stronger first. Null stands for a new entry.
 *
 * @throws Refusal VALIDATION_ERROR for an id that is not in the old list, or sent twice; where there
 * is no old list, ids mean nothing.
 */
export function paired<D extends { id?: string | undefined }, P extends { id: string }>(
  drafts: readonly D[],
  previous: readonly P[],
  { keys, field, idName = "id" }: { keys: readonly Key<D, P>[]; field: string; idName?: string },
): (P | null)[] {
  if (previous.length === 0) return drafts.map(() => null);
  const left = new Map(previous.map((entry) => [entry.id, entry]));
  const take = (entry: P | undefined): P | null => {
    if (!entry || !left.delete(entry.id)) return null;
    return entry;
  };
  const pairs = drafts.map(({ id }, index) => {
    const entry = id === undefined ? null : take(left.get(id));
    if (id !== undefined && !entry)
      throw invalid(`${field}.${index}.${idName}`, "is not in the list, or there twice");
    return entry;
  });
  for (const keyOf of keys) {
    const byKey = new Map([...left.values()].reverse().map((entry) => [keyOf(entry), entry]));
    drafts.forEach((draft, index) => {
      const key = pairs[index] ? null : keyOf(draft);
      if (key !== null) pairs[index] = take(byKey.get(key));
    });
  }
  return pairs;
}
