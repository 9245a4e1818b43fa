import { it } from "vitest";
import { campaignRuns, demandOfEach } from "./campaign.ts";
import { givenWorld, worlds } from "./cart-world.ts";
import { fill } from "./full-cart.ts";
import { openScene } from "./scene.ts";
import { changesOfFull, sequences, take } from "./sequences.ts";

const runs = Math.ceil(campaignRuns / worlds.length);
const noLimit = 3_600_000;

it.each(worlds)(
  "a cart in $currency with $ratePercent % tax (inclusive: $isInclusive) does what the contract says",
  async (terms) => {
    const world = await givenWorld(terms);
    await demandOfEach(sequences, { runs, offset: worlds.indexOf(terms) }, async (sequence) => {
      await take(await openScene(world), sequence);
    });
  },
  noLimit,
);

it(
  "a cart of 198 lines takes two more, and changes as a small one does",
  async () => {
    const world = await givenWorld(worlds[0]);
    const few = { runs: Math.ceil(runs / 20), offset: worlds.length };
    await demandOfEach(changesOfFull, few, async (sequence) => {
      const scene = await openScene(world);
      await fill(scene.shoppers[0], world, 198);
      await take(scene, sequence);
    });
  },
  noLimit,
);
