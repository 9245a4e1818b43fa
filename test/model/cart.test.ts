import { afterEach, beforeEach, it, vi } from "vitest";
import { fixedStories } from "./fixed-stories.ts";
import { fillCart } from "./full-cart.ts";
import { assertForEach, campaignRuns, replaysOneSequence } from "./run-sequences.ts";
import { openScene } from "./scene.ts";
import { fullCartSequences, runSequence, sequences } from "./sequences.ts";
import { createShopUnderTest, type ShopUnderTest, shopSettings } from "./shop-under-test.ts";

const runs = Math.ceil(campaignRuns / shopSettings.length);
const campaignTimeoutMs = 3_600_000;

const shopsUnderTest = new Map<(typeof shopSettings)[number], Promise<ShopUnderTest>>();

/** Creates each shop once. */
function getShopUnderTest(terms: (typeof shopSettings)[number]): Promise<ShopUnderTest> {
  const world = shopsUnderTest.get(terms) ?? createShopUnderTest(terms);
  shopsUnderTest.set(terms, world);
  return world;
}

// Tests share a shop, whose clock must not go back.
let clock = 0;
beforeEach(() => {
  vi.setSystemTime(Math.max(clock, Date.now()));
});
afterEach(() => {
  clock = Date.now();
});

it.each(shopSettings)(
  "a cart in $currency with $ratePercent % tax (inclusive: $isInclusive) follows the contract",
  async (terms) => {
    const world = await getShopUnderTest(terms);
    await assertForEach(
      sequences,
      { runs, offset: shopSettings.indexOf(terms) },
      async (sequence) => {
        await runSequence(await openScene(world), sequence);
      },
    );
  },
  campaignTimeoutMs,
);

it.skipIf(replaysOneSequence).each(fixedStories)("%s", async (_, steps) => {
  await runSequence(await openScene(await getShopUnderTest(shopSettings[0])), steps);
});

it(
  "a cart of 198 lines takes two more and follows the contract",
  async () => {
    const world = await getShopUnderTest(shopSettings[0]);
    const few = { runs: Math.ceil(runs / 20), offset: shopSettings.length };
    await assertForEach(fullCartSequences, few, async (sequence) => {
      const scene = await openScene(world);
      await fillCart(scene.shoppers[0], world, 198);
      await runSequence(scene, sequence);
    });
  },
  campaignTimeoutMs,
);
