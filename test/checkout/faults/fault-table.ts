import { describe, expect, it, vi } from "vitest";
import { type Answer, givenBusiness } from "../../support/world.ts";
import { expectSoundBooks } from "./audit.ts";
import type { Fault } from "./faulty-shop.ts";
import type { Method } from "./methods.ts";
import { type Books, dataOf, givenSale, type Sale, start } from "./sale-world.ts";

const manners = (["before", "after"] as const).flatMap((when) =>
  (["answer lost", "object dies"] as const).map((how) => ({ when, how })),
);

type Kind = Omit<Fault, "at">;

const mostTries = 6;

/** Asks again under the same key until it is answered otherwise than with "try again". */
export async function retried(sale: Sale, key: string): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await sale.checkout(key);
    const isForLater = Object(answer.body).error?.retryable === true;
    if (!isForLater || tries === mostTries) return answer;
    await sale.ringAlarm();
  }
}

const stateOf = (order: Books["orders"][number] | undefined) => ({
  status: order?.status,
  payment_status: order?.payment_status,
});

const standingOf = (orders: Books["orders"]) =>
  orders.filter(({ status }) => status !== "cancelled");

export async function expectSold(sale: Sale, { sold }: Method): Promise<void> {
  const { orders, ...books } = await sale.books();
  expectSoundBooks({ orders, ...books });
  const standing = standingOf(orders);
  expect(standing.length).toBe(1);
  expect(sold).toContainEqual(stateOf(standing[0]));
  expect(await sale.cart()).toMatchObject({ items: [], item_count: 0 });
}

/** The cart stands as it stood, or was sold and gave way to another. */
async function expectCartOf(sale: Sale, isSold: boolean): Promise<void> {
  const cart = await sale.cart();
  expect(cart.item_count).toBe(isSold ? 0 : 2);
  expect(cart.id === sale.cartId).toBe(!isSold);
}

/** How a shopper, or nobody, goes on after the fault; each leaves sound books. */
const recoveries: Readonly<Record<string, (sale: Sale, method: Method) => Promise<void>>> = {
  "sells once when it is retried": async (sale, method) => {
    const answer = await retried(sale, "key");
    expect(answer.status).toBe(200);
    await expectSold(sale, method);
    const again = await sale.checkout("key");
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(dataOf(again)).toEqual(dataOf(answer));
    await expectSold(sale, method);
  },

  "sells once or not at all when the alarm resumes it": async (
    sale,
    { sold, refusals, earlier },
  ) => {
    await sale.ringAlarm();
    await sale.ringAlarm();
    const { orders, ...books } = await sale.books();
    expectSoundBooks({ orders, ...books });
    const [order, ...others] = standingOf(orders);
    const isSold = sold.some((state) => state.payment_status === order?.payment_status);
    expect(others).toEqual([]);
    if (earlier) expect(order, "one of the two stands").toBeDefined();
    else if (refusals === 0) expect(orders.length === 0 || isSold).toBe(true);
    await expectCartOf(sale, isSold);
  },

  "holds nothing back when everybody walks away": async (sale) => {
    await sale.ringAlarm();
    await sale.cronAfter(31);
    await sale.cronAfter(31);
    const { orders, payments, ...books } = await sale.books();
    expectSoundBooks({ orders, payments, ...books });
    for (const { payment_status: status } of orders)
      expect(["pending", "captured", "cancelled"]).toContain(status);
  },

  "sells once when another checkout takes its place": async (sale, method) => {
    await sale.checkout("other-key");
    await sale.ringAlarm();
    const { status } = await retried(sale, "third-key");
    const { orders, ...books } = await sale.books();
    expectSoundBooks({ orders, ...books });
    const standing = standingOf(orders);
    expect(standing.length).toBe(1);
    expect(method.sold).toContainEqual(stateOf(standing[0]));
    expect([200, 404]).toContain(status);
  },
};

/** Every round trip of a checkout goes wrong in turn, each in a sale of its own; returns how many. */
async function throughAll(method: Method, kind: Kind, recover: (sale: Sale) => Promise<void>) {
  vi.setSystemTime(start);
  const shop = await givenBusiness();
  let at = 0;
  for (let trips = 1; at < trips; ) {
    at += 1;
    const sale = await givenSale(shop, method.payment);
    if (method.earlier) expect((await sale.checkout("earlier", method.earlier)).status).toBe(503);
    const faulty = await sale.breakShop({ ...kind, at });
    await sale.checkout("key").catch(() => null);
    trips = faulty.count() >= at ? at + 1 : at;
    if (trips === at) return at - 1;
    if (kind.how === "answer lost") await sale.mendShop();
    await withPlace(`round trip ${at}`, () => recover(sale));
  }
  return at;
}

export async function withPlace(place: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) error.message = `${place}: ${error.message}`;
    throw error;
  }
}

/** Every round trip, every fault there, every way to go on: a checkout that is paid like this sells once. */
export const faultTable = (method: Method): void => {
  describe(`a checkout paid with ${method.name}`, () => {
    describe.each(manners)("that meets a fault $when a round trip: $how", (kind) => {
      it.each(Object.entries(recoveries))("%s", async (_, recover) => {
        const trips = await throughAll(method, kind, (sale) => recover(sale, method));
        expect(trips).toBeGreaterThanOrEqual(method.name === "cash" ? 1 : 3);
      });
    });
  });
};
