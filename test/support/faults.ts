/** The end of a process, in the middle of what it does. */
export class Crash extends Error {}

/** Counts effects, and dies at one of them: before it happens, or after it did and before its answer. */
export function faults(at: number, when: "before" | "after") {
  let effects = 0;
  return async <T>(effect: () => Promise<T>): Promise<T> => {
    effects += 1;
    const isHere = effects === at;
    if (isHere && when === "before") throw new Crash();
    const result = await effect();
    if (isHere) throw new Crash();
    return result;
  };
}

export type Dies = ReturnType<typeof faults>;

export const never: Dies = (effect) => effect();
