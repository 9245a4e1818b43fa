import fc from "fast-check";
import { activityCommands, demandActivity } from "./activity-commands.ts";
import { cancellations } from "./cancellations.ts";
import { cartWrites, openings } from "./cart-commands.ts";
import { checkoutCommands } from "./checkout-commands.ts";
import { dealCommands } from "./deal-commands.ts";
import { groupCommands } from "./group-commands.ts";
import { demandLedger } from "./ledger.ts";
import { lookups } from "./lookups.ts";
import { merchantCommands } from "./merchant-commands.ts";
import { quoteCommands } from "./quote-commands.ts";
import { scarcityCommands } from "./scarcity-commands.ts";
import { readAllWays, type Scene } from "./scene.ts";
import { evictions, logins, waits } from "./session-commands.ts";
import { sessionEnds } from "./session-ends.ts";
import type { Step } from "./step.ts";
import { storyCommands } from "./story-commands.ts";

const steps = fc.oneof(
  { weight: 10, arbitrary: cartWrites },
  { weight: 4, arbitrary: quoteCommands },
  { weight: 3, arbitrary: merchantCommands },
  { weight: 2, arbitrary: dealCommands },
  { weight: 2, arbitrary: groupCommands },
  { weight: 1, arbitrary: lookups },
  { weight: 6, arbitrary: checkoutCommands },
  { weight: 4, arbitrary: scarcityCommands },
  { weight: 4, arbitrary: storyCommands },
  { weight: 2, arbitrary: activityCommands },
  { weight: 2, arbitrary: evictions },
  { weight: 2, arbitrary: waits },
  { weight: 1, arbitrary: sessionEnds },
  { weight: 1, arbitrary: cancellations },
  { weight: 2, arbitrary: logins },
);

/** What two shoppers and a merchant do, one thing after the other. */
export const sequences = fc
  .tuple(
    fc.array(openings, { maxLength: 5, size: "max" }),
    fc.array(steps, { maxLength: 20, size: "max" }),
  )
  .map((parts) => parts.flat());

/** What is done to a cart that is nearly full. */
export const changesOfFull = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: cartWrites },
    { weight: 1, arbitrary: merchantCommands },
    { weight: 1, arbitrary: evictions },
  ),
  { minLength: 4, maxLength: 12, size: "max" },
);

/** Takes the steps; in the end the carts and the tables hold what the model holds. */
export async function take(scene: Scene, sequence: readonly Step[]): Promise<void> {
  for (const { run } of sequence) await run(scene);
  for (const shopper of scene.shoppers) {
    await readAllWays(shopper);
    await demandActivity(scene, shopper);
  }
  await demandLedger(scene);
}
