import { describe, expect, it, vi } from "vitest";
import { hour } from "../../../shared/kernel/index.ts";
import { givenBusiness } from "../../support/world.ts";
import { expectSoundBooks } from "./audit.ts";
import { expectSold, retried, withPlace } from "./fault-table.ts";
import type { Fault } from "./faulty-shop.ts";
import type { Method } from "./methods.ts";
import { givenSale, type Sale, start } from "./sale-world.ts";

const hows = ["answer lost", "object dies"] as const;

/** The round trip that places the order, where all that it is planned from is remembered. */
export const placing = 1;

/** How somebody goes on while a round trip of the first checkout is still on its way. */
const ways: Readonly<Record<string, (sale: Sale) => Promise<void>>> = {
  "another device that checks out": async (sale) => {
    await retried(sale, "other-key");
  },
  "a retry with the same key": async (sale) => {
    await retried(sale, "key");
  },
  "the alarm": async (sale) => {
    await sale.ringAlarm();
    await sale.ringAlarm();
  },
};

/**
 * What was on its way takes effect right before the so many-th round trip of who goes on, or behind all
 * of them; returns whether there were so many.
 */
async function arrivesBefore(
  trip: number,
  {
    sale,
    fault,
    goOn,
  }: Readonly<{ sale: Sale; fault: Fault; goOn: (sale: Sale) => Promise<void> }>,
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

/** Whatever arrived, and whenever, the cart is sold once, or can still be. */
async function expectSoldOnce(sale: Sale, method: Method): Promise<void> {
  const { orders, ...books } = await sale.books();
  expectSoundBooks({ orders, ...books });
  expect([200, 404]).toContain((await retried(sale, "last-key")).status);
  await expectSold(sale, method);
}

/**
 * The round trip of a checkout that is lost arrives later than who goes on, at every point of theirs.
 *
 * @param trips which of the round trips are lost.
 */
export const lateTable = (method: Method, trips: readonly number[]): void => {
  describe.each(hows)(
    `a checkout paid with ${method.name}: %s, and its round trip arrives`,
    (how) => {
      it.each(Object.entries(ways))("at any point of %s", async (_, goOn) => {
        vi.setSystemTime(start);
        const shop = await givenBusiness();
        let time = start; // never goes back, as the limiter's windows do not
        for (const at of trips) {
          let wereSoMany = true;
          for (let trip = 1; wereSoMany; trip += 1) {
            time += hour;
            const sale = await givenSale(shop, method.payment, time);
            if (method.earlier) {
              expect((await sale.checkout("earlier", method.earlier)).status).toBe(503);
            }
            const fault: Fault = { at, when: "on its way", how };
            await withPlace(`round trip ${at}, arriving before ${trip}`, async () => {
              wereSoMany = await arrivesBefore(trip, { sale, fault, goOn });
              await expectSoldOnce(sale, method);
            });
          }
        }
      });
    },
  );
};
