/**
 * How many sequences are tried, and which. MODEL_RUNS=2000 for a campaign of the seed MODEL_SEED;
 * MODEL_SHRINK=no tells a difference as it was found, at once. MODEL_SEED and MODEL_PATH as a failure
 * prints them take that one sequence again, and no other: in the world that -t names, or in each.
 */
import fc from "fast-check";

const {
  MODEL_RUNS: modelRuns = "6",
  MODEL_SEED: modelSeed = "20260801",
  MODEL_PATH: path,
  MODEL_SHRINK: shrink = "yes",
}: Record<string, string | undefined> = import.meta.env;

export const campaignRuns = Number(modelRuns);

/** Whether one sequence is taken again, and no other. */
export const isReplayed = path !== undefined;

const seed = Number(modelSeed);

/** Demands of so many values, or of the one that is to be replayed, that `take` does not throw. */
export async function demandOfEach<T>(
  values: fc.Arbitrary<T>,
  { runs, offset }: Readonly<{ runs: number; offset: number }>,
  take: (value: T) => Promise<void>,
): Promise<void> {
  if (path === undefined) {
    const property = fc.asyncProperty(values, take);
    const endOnFailure = shrink === "no";
    return fc.assert(property, { seed: seed + offset, numRuns: runs, endOnFailure });
  }
  // Not by assert: where this one passes it would go on with all that shrinking might have tried.
  for (const value of fc.sample(values, { seed, path, numRuns: 1 })) {
    console.info(`Taken again: ${fc.stringify(value)}`);
    await take(value);
  }
}
