import fc from "fast-check";
import { activityCommands, assertActivity } from "./activity-commands.ts";
import { cancellations } from "./cancellation-commands.ts";
import { cartWrites, openings } from "./cart-commands.ts";
import { assertTables } from "./check-tables.ts";
import { checkoutCommands } from "./checkout-commands.ts";
import { dealCommands } from "./deal-commands.ts";
import { groupCommands } from "./group-commands.ts";
import { lookups } from "./lookup-commands.ts";
import { lowSupplyCommands } from "./low-supply-commands.ts";
import { merchantCommands } from "./merchant-commands.ts";
import { quoteCommands } from "./quote-commands.ts";
import { assertCartReads, type Scene } from "./scene.ts";
import { evictions, logins, waits } from "./session-commands.ts";
import { sessionExpiry } from "./session-expiry.ts";
import type { Step } from "./step.ts";
import { storyCommands } from "./stories.ts";

const anyStep = fc.oneof(
  { weight: 10, arbitrary: cartWrites },
  { weight: 4, arbitrary: quoteCommands },
  { weight: 3, arbitrary: merchantCommands },
  { weight: 2, arbitrary: dealCommands },
  { weight: 2, arbitrary: groupCommands },
  { weight: 1, arbitrary: lookups },
  { weight: 6, arbitrary: checkoutCommands },
  { weight: 4, arbitrary: lowSupplyCommands },
  { weight: 4, arbitrary: storyCommands },
  { weight: 2, arbitrary: activityCommands },
  { weight: 2, arbitrary: evictions },
  { weight: 2, arbitrary: waits },
  { weight: 1, arbitrary: sessionExpiry },
  { weight: 1, arbitrary: cancellations },
  { weight: 2, arbitrary: logins },
);

/** Sequences of steps of two shoppers and a merchant. */
export const sequences = fc
  .tuple(
    fc.array(openings, { maxLength: 5, size: "max" }),
    fc.array(anyStep, { maxLength: 20, size: "max" }),
  )
  .map((parts) => parts.flat());

/** Sequences for a nearly full cart. */
export const fullCartSequences = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: cartWrites },
    { weight: 1, arbitrary: merchantCommands },
    { weight: 1, arbitrary: evictions },
  ),
  { minLength: 4, maxLength: 12, size: "max" },
);

/** Runs the steps and checks carts and tables against the model at the end. */
export async function runSequence(scene: Scene, sequence: readonly Step[]): Promise<void> {
  for (const { run } of sequence) await run(scene);
  for (const shopper of scene.shoppers) {
    await assertCartReads(shopper);
    await assertActivity(scene, shopper);
  }
  await assertTables(scene);
}
