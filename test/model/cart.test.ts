import fc from "fast-check";
import { it } from "vitest";
import { givenWorld, worlds } from "./cart-world.ts";
import { fill } from "./full-cart.ts";
import { openScene } from "./scene.ts";
import { changesOfFull, sequences, take } from "./sequences.ts";

// MODEL_RUNS=2000 for a campaign; seed and path as a failure prints them.
const {
  MODEL_RUNS: modelRuns = "6",
  MODEL_SEED: seed = "20260801",
  MODEL_PATH: path,
}: Record<string, string | undefined> = import.meta.env;

const runs = Math.ceil(Number(modelRuns) / worlds.length);
const noLimit = 3_600_000;

it.each(worlds)(
  "a cart in $currency with $ratePercent % tax (inclusive: $isInclusive) does what the contract says",
  async (terms) => {
    const world = await givenWorld(terms);
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        await take(await openScene(world), sequence);
      }),
      parameters(runs, worlds.indexOf(terms)),
    );
  },
  noLimit,
);

it(
  "a cart of 198 lines takes two more, and changes as a small one does",
  async () => {
    const world = await givenWorld(worlds[0]);
    await fc.assert(
      fc.asyncProperty(changesOfFull, async (sequence) => {
        const scene = await openScene(world);
        await fill(scene.shoppers[0], world, 198);
        await take(scene, sequence);
      }),
      parameters(Math.ceil(runs / 20), worlds.length),
    );
  },
  noLimit,
);

const parameters = (numRuns: number, offset: number) => ({
  seed: Number(seed) + offset,
  numRuns,
  ...(path !== undefined && { path, endOnFailure: true }),
});
