import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect } from "vitest";
import { logIn } from "../support/sessions.ts";
import { passes } from "./cart-world.ts";
import { demandLedger } from "./ledger.ts";
import { readAsSeen, type Shopper } from "./scene.ts";
import { shopperOf, step, who } from "./step.ts";
import { holdMs } from "./times.ts";

/** Nothing of a cart is only in the memory of its object. */
export const evictions = who.map((position) =>
  step(`the object of shopper ${position} is evicted`, async (scene) => {
    const shopper = shopperOf(scene, position);
    await evictDurableObject(env.CART_SESSION.getByName(shopper.sessionId));
    await readAsSeen(shopper);
  }),
);

/** The session's cart goes along (completions.md 3); what is paid by a plan can be ordered from now on. */
export const logins = who.map((position) =>
  step(`shopper ${position} logs in`, async (scene) => {
    await loggedIn(shopperOf(scene, position));
  }),
);

/** Logs a shopper in, as somebody whom nobody knows yet, who is not. */
export async function loggedIn(shopper: Shopper): Promise<void> {
  if (shopper.isKnown) return;
  const contact = `${crypto.randomUUID()}@example.com`;
  expect((await logIn(shopper.ask, contact)).status).toBe(200);
  Object.assign(shopper, { isKnown: true, customer: contact });
  await readAsSeen(shopper);
}

const hour = 3_600_000;
export const waits = fc
  .constantFrom(1_000, 3_000, 6_000, 300_000, holdMs - 1_000, 660_000, 960_000, 25 * hour)
  .map((milliseconds) =>
    step(`${milliseconds / 1_000} s pass`, async (scene) => {
      passes(milliseconds);
      for (const shopper of scene.shoppers) await shopper.ask("GET", "/cart"); // renews old cookies
      await demandLedger(scene);
    }),
  );
