import fc from "fast-check";
import { expect, it } from "vitest";
import { addsQuoted, cartWrites, openings, type Step } from "./cart-commands.ts";
import { givenWorld, ledgerOf, worlds } from "./cart-world.ts";
import { checkoutCommands } from "./checkout-commands.ts";
import { fill } from "./full-cart.ts";
import { openScene, readAllWays, type Scene } from "./scene.ts";
import { evictions, logins, waits } from "./session-commands.ts";
import { shopCommands } from "./shop-commands.ts";

// MODEL_RUNS=2000 for a campaign; seed and path as a failure prints them.
const {
  MODEL_RUNS: modelRuns = "18",
  MODEL_SEED: seed = "20260801",
  MODEL_PATH: path,
}: Record<string, string | undefined> = import.meta.env;

const runs = Math.ceil(Number(modelRuns) / worlds.length);
const noLimit = 3_600_000;

const steps = fc.oneof(
  { weight: 10, arbitrary: cartWrites },
  { weight: 2, arbitrary: addsQuoted },
  { weight: 5, arbitrary: shopCommands },
  { weight: 5, arbitrary: checkoutCommands },
  { weight: 2, arbitrary: evictions },
  { weight: 1, arbitrary: waits },
  { weight: 2, arbitrary: logins },
);

const sequences = fc
  .tuple(
    fc.array(openings, { maxLength: 5, size: "max" }),
    fc.array(steps, { maxLength: 20, size: "max" }),
  )
  .map((parts) => parts.flat());

const changesOfFull = fc.oneof(
  { weight: 4, arbitrary: cartWrites },
  { weight: 1, arbitrary: shopCommands },
  { weight: 1, arbitrary: evictions },
);

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
    const sequence = fc.array(changesOfFull, { minLength: 4, maxLength: 12, size: "max" });
    await fc.assert(
      fc.asyncProperty(sequence, async (sequence) => {
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
  ...(path !== undefined && { path }),
});

/** Takes the steps; in the end the carts and the tables hold what the model holds. */
async function take(scene: Scene, sequence: readonly Step[]): Promise<void> {
  for (const { run } of sequence) await run(scene);
  for (const shopper of scene.shoppers) await readAllWays(shopper);
  const { shop, orders, world } = scene;
  const uses = Object.fromEntries(shop.deals.map(({ id, usedBy }) => [id, usedBy.length]));
  expect(await ledgerOf(world)).toEqual({ orders, stock: shop.stock, uses, subscriptions: 0 });
}
