import { describe, expect, it, vi } from "vitest";
import { hour } from "../../../shared/kernel/index.ts";
import { createBusiness } from "../../support/world.ts";
import { type FaultySale, start } from "./create-sale.ts";
import { expectConsistentBooks } from "./expect-consistent-books.ts";
import { createSaleFor, expectSold, retryCheckout, withFailureContext } from "./fault-table.ts";
import type { DatabaseFault } from "./faulty-database.ts";
import type { PaymentCase } from "./payment-cases.ts";

const faultEffects = ["answer lost", "object dies"] as const;

/** The round trip that places the order when the catalogue is cached. */
export const placingRoundTrip = 1;

/** What happens while a round trip of the first checkout is still on its way. */
const continuations: Readonly<Record<string, (sale: FaultySale) => Promise<void>>> = {
  "another device that checks out": async (sale) => {
    await retryCheckout(sale, "other-key");
  },
  "a retry with the same key": async (sale) => {
    await retryCheckout(sale, "key");
  },
  "the alarm": async (sale) => {
    await sale.ringAlarm();
    await sale.ringAlarm();
  },
};

/**
 * Lets the delayed round trip take effect before the given round trip of the continuation, or after
 * all of them; returns whether the continuation made that many.
 */
async function arriveBefore(
  trip: number,
  {
    sale,
    fault,
    goOn,
  }: Readonly<{
    sale: FaultySale;
    fault: DatabaseFault;
    goOn: (sale: FaultySale) => Promise<void>;
  }>,
): Promise<boolean> {
  const first = await sale.breakShop(fault);
  await sale.checkout("key").catch(() => null);
  const then = await sale.interrupt(async (at) => {
    if (at === trip) await first.arrive();
  });
  await goOn(sale);
  const wereSoMany = then.count() >= trip;
  await first.arrive();
  return wereSoMany;
}

/** Expects that the cart is sold once, or can still be sold. */
async function expectSoldOnce(sale: FaultySale, method: PaymentCase): Promise<void> {
  const { orders, ...books } = await sale.books();
  expectConsistentBooks({ orders, ...books });
  expect([200, 404]).toContain((await retryCheckout(sale, "last-key")).status);
  await expectSold(sale, method);
}

/**
 * Tests that a delayed round trip of a checkout may take effect at every point of a continuation.
 *
 * @param trips the numbers of the round trips that are delayed.
 */
export const lateArrivalTable = (method: PaymentCase, trips: readonly number[]): void => {
  describe.each(faultEffects)(
    `a checkout paid with ${method.name}: %s, and its round trip arrives`,
    (how) => {
      it.each(Object.entries(continuations))("at any point of %s", async (_, goOn) => {
        vi.setSystemTime(start);
        const shop = await createBusiness();
        let time = start; // never moves back, because rate-limit windows do not
        for (const at of trips) {
          let wereSoMany = true;
          for (let trip = 1; wereSoMany; trip += 1) {
            time += hour;
            const sale = await createSaleFor(shop, method, time);
            const fault: DatabaseFault = { at, when: "on its way", how };
            await withFailureContext(`round trip ${at}, arriving before ${trip}`, async () => {
              wereSoMany = await arriveBefore(trip, { sale, fault, goOn });
              await expectSoldOnce(sale, method);
            });
          }
        }
      });
    },
  );
};
