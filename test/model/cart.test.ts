import { afterEach, beforeEach, it, vi } from "vitest";
import { campaignRuns, demandOfEach, isReplayed } from "./campaign.ts";
import { givenWorld, type World, worlds } from "./cart-world.ts";
import { fill } from "./full-cart.ts";
import { openScene } from "./scene.ts";
import { changesOfFull, sequences, take } from "./sequences.ts";
import { toldStories } from "./told-stories.ts";

const runs = Math.ceil(campaignRuns / worlds.length);
const noLimit = 3_600_000;

const made = new Map<(typeof worlds)[number], Promise<World>>();

/** Each is made once. */
function worldOf(terms: (typeof worlds)[number]): Promise<World> {
  const world = made.get(terms) ?? givenWorld(terms);
  made.set(terms, world);
  return world;
}

// Several tests have the same world, whose clock never goes back.
let clock = 0;
beforeEach(() => {
  vi.setSystemTime(Math.max(clock, Date.now()));
});
afterEach(() => {
  clock = Date.now();
});

it.each(worlds)(
  "a cart in $currency with $ratePercent % tax (inclusive: $isInclusive) does what the contract says",
  async (terms) => {
    const world = await worldOf(terms);
    await demandOfEach(sequences, { runs, offset: worlds.indexOf(terms) }, async (sequence) => {
      await take(await openScene(world), sequence);
    });
  },
  noLimit,
);

it.skipIf(isReplayed).each(toldStories)("%s", async (_, steps) => {
  await take(await openScene(await worldOf(worlds[0])), steps);
});

it(
  "a cart of 198 lines takes two more, and changes as a small one does",
  async () => {
    const world = await worldOf(worlds[0]);
    const few = { runs: Math.ceil(runs / 20), offset: worlds.length };
    await demandOfEach(changesOfFull, few, async (sequence) => {
      const scene = await openScene(world);
      await fill(scene.shoppers[0], world, 198);
      await take(scene, sequence);
    });
  },
  noLimit,
);
