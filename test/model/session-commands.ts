import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect } from "vitest";
import { hour } from "../../shared/kernel/index.ts";
import { logIn } from "../support/sessions.ts";
import { assertTables } from "./check-tables.ts";
import { assertCartUnchanged, type Shopper } from "./scene.ts";
import { advanceClock } from "./shop-under-test.ts";
import { slotHoldTtlMs } from "./slot-model.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

/** The cart survives the eviction of its object. */
export const evictions = shopperIndex.map((position) =>
  createStep(`the object of shopper ${position} is evicted`, async (scene) => {
    const shopper = shopperOf(scene, position);
    await evictDurableObject(env.CART_SESSION.getByName(shopper.sessionId));
    await assertCartUnchanged(shopper);
  }),
);

/** A login keeps the session's cart and allows orders with plans. */
export const logins = shopperIndex.map((position) =>
  createStep(`shopper ${position} logs in`, async (scene) => {
    await ensureLoggedIn(shopperOf(scene, position));
  }),
);

/** Logs an anonymous shopper in as a new customer. */
export async function ensureLoggedIn(shopper: Shopper): Promise<void> {
  if (shopper.isKnown) return;
  const contact = `${crypto.randomUUID()}@example.com`;
  expect((await logIn(shopper.ask, contact)).status).toBe(200);
  Object.assign(shopper, { isKnown: true, customer: contact });
  await assertCartUnchanged(shopper);
}

export const waits = fc
  .constantFrom(1_000, 3_000, 6_000, 300_000, slotHoldTtlMs - 1_000, 660_000, 960_000, 25 * hour)
  .map((milliseconds) =>
    createStep(`${milliseconds / 1_000} s pass`, async (scene) => {
      advanceClock(milliseconds);
      for (const shopper of scene.shoppers) await shopper.ask("GET", "/cart"); // renews old cookies
      await assertTables(scene);
    }),
  );
