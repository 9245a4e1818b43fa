import { describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { type ApiResponse, createBusiness, dataOf } from "../../support/world.ts";
import { createSale, type FaultySale, type SaleBooks, start } from "./create-sale.ts";
import { expectConsistentBooks } from "./expect-consistent-books.ts";
import type { DatabaseFault } from "./faulty-database.ts";
import type { PaymentCase } from "./payment-cases.ts";

const faultKinds = (["before", "after"] as const).flatMap((when) =>
  (["answer lost", "object dies"] as const).map((how) => ({ when, how })),
);

type DatabaseFaultKind = Omit<DatabaseFault, "at">;

const maxTries = 6;

/** Retries with the same key until the response is not retryable. */
export async function retryCheckout(sale: FaultySale, key: string): Promise<ApiResponse> {
  for (let tries = 1; ; tries += 1) {
    const answer = await sale.checkout(key);
    const isForLater = Object(answer.body).error?.retryable === true;
    if (!isForLater || tries === maxTries) return answer;
    await sale.ringAlarm();
  }
}

const orderState = (order: SaleBooks["orders"][number] | undefined) => ({
  status: order?.status,
  payment_status: order?.payment_status,
});

const activeOrdersIn = (orders: SaleBooks["orders"]) =>
  orders.filter(({ status }) => status !== "cancelled");

export async function expectSold(sale: FaultySale, { soldStates }: PaymentCase): Promise<void> {
  const { orders, ...books } = await sale.books();
  expectConsistentBooks({ orders, ...books });
  const active = activeOrdersIn(orders);
  expect(active.length).toBe(1);
  expect(soldStates).toContainEqual(orderState(active[0]));
  expect(await sale.cart()).toMatchObject({ items: [], item_count: 0 });
}

/** Expects the unchanged cart, or an empty new one after the sale. */
async function expectCartSold(sale: FaultySale, isSold: boolean): Promise<void> {
  const cart = await sale.cart();
  expect(cart.item_count).toBe(isSold ? 0 : 2);
  expect(cart.id === sale.cartId).toBe(!isSold);
}

/** How the sale continues after the fault. Each leaves consistent books. */
const recoveries: Readonly<
  Record<string, (sale: FaultySale, method: PaymentCase) => Promise<void>>
> = {
  "sells once when it is retried": async (sale, method) => {
    const answer = await retryCheckout(sale, "key");
    expect(answer.status).toBe(200);
    await expectSold(sale, method);
    const again = await sale.checkout("key");
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(dataOf(again)).toEqual(dataOf(answer));
    await expectSold(sale, method);
  },

  "sells once or not at all when the alarm resumes it": async (
    sale,
    { soldStates, refusals, earlier },
  ) => {
    await sale.ringAlarm();
    await sale.ringAlarm();
    const { orders, ...books } = await sale.books();
    expectConsistentBooks({ orders, ...books });
    const [order, ...others] = activeOrdersIn(orders);
    const isSold = soldStates.some((state) => state.payment_status === order?.payment_status);
    expect(others).toEqual([]);
    if (earlier) expect(order, "one of the two orders is active").toBeDefined();
    else if (refusals === 0) expect(orders.length === 0 || isSold).toBe(true);
    await expectCartSold(sale, isSold);
  },

  "holds nothing back when nobody retries": async (sale) => {
    await sale.ringAlarm();
    await sale.cronAfter(31);
    await sale.cronAfter(31);
    const { orders, payments, ...books } = await sale.books();
    expectConsistentBooks({ orders, payments, ...books });
    for (const { payment_status: status } of orders)
      expect(["pending", "captured", "cancelled"]).toContain(status);
  },

  "sells once when another checkout replaces it": async (sale, method) => {
    await sale.checkout("other-key");
    await sale.ringAlarm();
    const { status } = await retryCheckout(sale, "third-key");
    const { orders, ...books } = await sale.books();
    expectConsistentBooks({ orders, ...books });
    const active = activeOrdersIn(orders);
    expect(active.length).toBe(1);
    expect(method.soldStates).toContainEqual(orderState(active[0]));
    expect([200, 404]).toContain(status);
  },
};

/** Creates the sale of a payment case, with its coupons, its delivery and its earlier checkout. */
export async function createSaleFor(
  shop: CreatedBusiness,
  { payment, coupons, isDelivered, earlier }: PaymentCase,
  at = start,
): Promise<FaultySale> {
  const sale = await createSale(shop, payment, at);
  if (coupons !== undefined) await sale.addCoupons(coupons);
  if (isDelivered) await sale.addDelivery();
  if (earlier) expect((await sale.checkout("earlier", earlier)).status).toBe(503);
  return sale;
}

/** Fails each round trip of a checkout in turn, each in a sale of its own; returns their number. */
async function failEachRoundTrip(
  method: PaymentCase,
  kind: DatabaseFaultKind,
  recover: (sale: FaultySale) => Promise<void>,
) {
  vi.setSystemTime(start);
  const shop = await createBusiness();
  let at = 0;
  for (let trips = 1; at < trips; ) {
    at += 1;
    const sale = await createSaleFor(shop, method);
    const faulty = await sale.breakShop({ ...kind, at });
    await sale.checkout("key").catch(() => null);
    trips = faulty.count() >= at ? at + 1 : at;
    if (trips === at) return at - 1;
    if (kind.how === "answer lost") await sale.mendShop();
    await withFailureContext(`round trip ${at}`, () => recover(sale));
  }
  return at;
}

export async function withFailureContext(place: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) error.message = `${place}: ${error.message}`;
    throw error;
  }
}

/** Tests every fault at every round trip with every recovery for a way to pay. */
export const faultTable = (method: PaymentCase): void => {
  describe(`a checkout paid with ${method.name}`, () => {
    describe.each(faultKinds)("that meets a fault $when a round trip: $how", (kind) => {
      it.each(Object.entries(recoveries))("%s", async (_, recover) => {
        const trips = await failEachRoundTrip(method, kind, (sale) => recover(sale, method));
        expect(trips).toBeGreaterThanOrEqual(method.name === "cash" ? 1 : 3);
      });
    });
  });
};
