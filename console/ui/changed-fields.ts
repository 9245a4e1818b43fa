import { isEqual } from "./use-form.ts";

/** The fields whose values differ, so that a change of one does not undo another's of the rest. */
export function changedFields<F extends object>(before: F, after: F): Partial<F> {
  const old = new Map(Object.entries(before));
  const changed: Partial<F> = { ...after };
  for (const name of fieldNames(after)) {
    if (isEqual(old.get(name), after[name])) delete changed[name];
  }
  return changed;
}

function fieldNames<F extends object>(fields: F): readonly (keyof F & string)[] {
  const isName = (name: string): name is keyof F & string => name in fields;
  return Object.keys(fields).filter(isName);
}
