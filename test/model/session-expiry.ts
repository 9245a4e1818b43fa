/** Alarms of a session, and its expiry after a month without requests. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect } from "vitest";
import { day } from "../../shared/kernel/index.ts";
import { readSessionStorage } from "../support/sessions.ts";
import { assertTables } from "./check-tables.ts";
import { assertCartReads, assertCartUnchanged, createShopper } from "./scene.ts";
import { advanceClock } from "./shop-under-test.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

const runAlarm = (sessionId: string) =>
  runDurableObjectAlarm(env.CART_SESSION.getByName(sessionId));

/** An alarm may run at any time and leaves a cart in use unchanged. */
const alarms = shopperIndex.map((position) =>
  createStep(`the alarm of shopper ${position} rings`, async (scene) => {
    const shopper = shopperOf(scene, position);
    await runAlarm(shopper.sessionId);
    await assertCartUnchanged(shopper);
    await assertTables(scene);
  }),
);

const month = 30 * day;
/**
 * The session may expire this much later than its cookie, because its use is recorded once a day.
 */
const grace = 3 * day;

/** A cookie expires after 30 days; the shopper then gets a new session and an empty cart. */
const monthsAway = fc.record({ who: shopperIndex, isCleared: fc.boolean() }).map((chosen) =>
  createStep(`away for a month ${JSON.stringify(chosen)}`, async (scene) => {
    advanceClock(month + 3_600_000);
    for (const shopper of scene.shoppers) {
      const { sessionId } = shopper;
      const { ask, ...newShopper } = await createShopper(scene.world, shopper.name, shopper.ask);
      expect(newShopper.sessionId).not.toBe(sessionId);
      Object.assign(shopper, newShopper);
      if (chosen.isCleared) await assertCleared(sessionId);
      await assertCartReads(shopper);
    }
    await assertTables(scene);
  }),
);

async function assertCleared(sessionId: string): Promise<void> {
  advanceClock(grace);
  await runAlarm(sessionId);
  expect(JSON.stringify(await readSessionStorage(sessionId))).not.toMatch(/ci_\w{26}/); // a line's id
}

export const sessionExpiry = fc.oneof(
  { weight: 3, arbitrary: alarms },
  { weight: 1, arbitrary: monthsAway },
);
