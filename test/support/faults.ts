/** Thrown where a test makes the process crash. */
export class Crash extends Error {}

/** Counts effects, and crashes before the n-th one or after it, when its result is lost. */
export function crashAtEffect(n: number, when: "before" | "after") {
  let effects = 0;
  return async <T>(effect: () => Promise<T>): Promise<T> => {
    effects += 1;
    const isCrashing = effects === n;
    if (isCrashing && when === "before") throw new Crash();
    const result = await effect();
    if (isCrashing) throw new Crash();
    return result;
  };
}

/** Runs an effect, or crashes before or after it. */
export type CrashPoint = ReturnType<typeof crashAtEffect>;

export const neverCrash: CrashPoint = (effect) => effect();
