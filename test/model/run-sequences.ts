/**
 * Runs random sequences. MODEL_RUNS=2000 runs a campaign with MODEL_SEED; MODEL_SHRINK=no reports a
 * failure without shrinking it. MODEL_SEED and MODEL_PATH of a failure repeat its sequence.
 */
import fc from "fast-check";

const {
  MODEL_RUNS: modelRuns = "6",
  MODEL_SEED: modelSeed = "20260801",
  MODEL_PATH: path,
  MODEL_SHRINK: shrink = "yes",
}: Record<string, string | undefined> = import.meta.env;

export const campaignRuns = Number(modelRuns);

/** Whether only one sequence is repeated. */
export const replaysOneSequence = path !== undefined;

const seed = Number(modelSeed);

/** Asserts that `take` throws for none of the values, or repeats one value. */
export async function assertForEach<T>(
  values: fc.Arbitrary<T>,
  { runs, offset }: Readonly<{ runs: number; offset: number }>,
  take: (value: T) => Promise<void>,
): Promise<void> {
  if (path === undefined) {
    const property = fc.asyncProperty(values, take);
    const endOnFailure = shrink === "no";
    return fc.assert(property, { seed: seed + offset, numRuns: runs, endOnFailure });
  }
  // fc.assert would continue with other values after this one passes.
  for (const value of fc.sample(values, { seed, path, numRuns: 1 })) {
    console.info(`Taken again: ${fc.stringify(value)}`);
    await take(value);
  }
}
