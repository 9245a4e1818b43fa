/** What happens to a session by itself: its alarm rings, and after a month without a call it is over. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect } from "vitest";
import { storedIn } from "../support/sessions.ts";
import { passes } from "./cart-world.ts";
import { demandLedger } from "./ledger.ts";
import { arrival, readAllWays, readAsSeen } from "./scene.ts";
import { shopperOf, step, who } from "./step.ts";

const ring = (sessionId: string) => runDurableObjectAlarm(env.CART_SESSION.getByName(sessionId));

/** An alarm may ring at any time, and late: a cart that is in use is none of its business. */
const alarms = who.map((position) =>
  step(`the alarm of shopper ${position} rings`, async (scene) => {
    const shopper = shopperOf(scene, position);
    await ring(shopper.sessionId);
    await readAsSeen(shopper);
    await demandLedger(scene);
  }),
);

const day = 24 * 3_600_000;
const month = 30 * day;
/** How much later than its cookie's a session's own end may be: a use may be noted once a day. */
const grace = 3 * day;

/** A cookie lives 30 days (completions.md 3): whoever comes back later is somebody new, and the cart is gone. */
const absences = fc.record({ who, isCleared: fc.boolean() }).map((chosen) =>
  step(`away for a month ${JSON.stringify(chosen)}`, async (scene) => {
    passes(month + 3_600_000);
    for (const shopper of scene.shoppers) {
      const { sessionId } = shopper;
      const { ask, ...anew } = await arrival(scene.world, shopper.name, shopper.ask);
      expect(anew.sessionId).not.toBe(sessionId);
      Object.assign(shopper, anew);
      if (chosen.isCleared) await demandCleared(sessionId);
      await readAllWays(shopper);
    }
    await demandLedger(scene);
  }),
);

async function demandCleared(sessionId: string): Promise<void> {
  passes(grace);
  await ring(sessionId);
  expect(JSON.stringify(await storedIn(sessionId))).not.toMatch(/ci_\w{26}/); // a line's id
}

export const sessionEnds = fc.oneof(
  { weight: 3, arbitrary: alarms },
  { weight: 1, arbitrary: absences },
);
