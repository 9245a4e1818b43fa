import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, roundTrips } from "../support/world.ts";
import { givenFuzzedWorld } from "./fuzz/fuzzed-world.ts";
import { deepRequestsOf } from "./fuzz/requests.ts";
import { inOrder } from "./operation-order.ts";
import { named, type Operation, operationsOfDocuments } from "./operations.ts";
import {
  coldBudgetOf,
  keyCostsOf,
  keyedForNothing,
  keyedForOne,
  overBudget,
  type Trips,
  warmBudgetOf,
} from "./round-trip-budgets.ts";

/** What has no success in this world, or only once, and where its round trips are counted. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["GET /api/v1/support/conversation/ws", "a socket"],
  ["GET /v1/businesses/{business_id}/conversations/{thread_id}/ws", "a socket"],
  ["POST /api/v1/payments/providers/paystack/webhook", "test/payments/paystack-over-http.test.ts"],
  ["POST /v1/link/auth/refresh", "test/link/refresh.test.ts"],
  ["POST /v1/link/elements/refresh", "test/link/refresh.test.ts"],
  ["POST /v1/link/auth/logout", "the world's one session is revoked by another row"],
  ["DELETE /v1/link/sessions/{id}", "as above"],
  ["POST /v1/businesses/{business_id}/orders/{order_id}/cancel", "test/orders/round-trips.test.ts"],
  [
    "POST /v1/businesses/{business_id}/orders/{order_id}/payments/mark-paid",
    "test/orders/round-trips.test.ts",
  ],
  [
    "POST /v1/businesses/{business_id}/bookings/{booking_id}/status",
    "test/bookings/merchant-changes.test.ts",
  ],
  [
    "POST /v1/businesses/{business_id}/bookings/{booking_id}/cancel",
    "test/bookings/merchant-changes.test.ts",
  ],
  [
    "POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule",
    "test/bookings/merchant-changes.test.ts",
  ],
]);

const operations = inOrder(await operationsOfDocuments());
const within = operations.filter(({ id }) => !elsewhere.has(id));
const isRead = ({ method }: Operation) => method === "GET";
const reads = within.filter(isRead);
const writes = within.filter((operation) => !isRead(operation));
const takesKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ name }) => name === "Idempotency-Key");

type Headers = Readonly<Record<string, string>>;

/** Asks an operation until it succeeds. */
function asking(ask: Awaited<ReturnType<typeof givenFuzzedWorld>>) {
  return async (operation: Operation, headersOf: () => Headers = () => ({})): Promise<Trips> => {
    const told: string[] = [];
    for (const request of deepRequestsOf(operation)) {
      const headers = { ...request.headers, ...headersOf() };
      const answer: Answer = await ask(operation, { ...request, headers });
      if (answer.status < 300) {
        const { d1, do: objects } = roundTrips(answer);
        return { d1, do: objects };
      }
      told.push(`${answer.status} ${JSON.stringify(answer.body)}`);
    }
    throw new Error(`${operation.id} did not succeed: ${told.join("; ")}`);
  };
}

type Asking = ReturnType<typeof asking>;

/** From it on the clock stands still, and no isolate remembers a key or a catalogue of before: both are kept for 5 s at most. */
function forget(): number {
  const later = Date.now() + 5_001;
  vi.setSystemTime(later);
  return later;
}

function expectWithin(trips: Trips, budget: Trips): void {
  expect(trips.d1, "round trips to D1").toBeLessThanOrEqual(budget.d1);
  expect(trips.do, "round trips to objects").toBeLessThanOrEqual(budget.do);
}

describe("the budgets' tables", () => {
  it("name operations of the documents alone", () => {
    const known = operations.map(({ id }) => id);
    for (const id of [
      ...overBudget.keys(),
      ...elsewhere.keys(),
      ...keyedForNothing,
      ...keyedForOne,
    ])
      expect(known).toContain(id);
  });
});

describe("an isolate that knows its caller", () => {
  let trips: Asking;
  let time: number;
  beforeAll(async () => {
    trips = asking(await givenFuzzedWorld());
    time = forget();
    for (const read of reads) await trips(read);
  }, 60_000);
  beforeEach(() => {
    vi.setSystemTime(time); // on a busy machine what it knows would grow old between two tests
  });

  it.each(named(writes))("%s stays within its round trips", async (_, operation) => {
    const taken = await trips(operation);
    const exception = overBudget.get(operation.id);
    if (exception) expect(taken, exception.why).toEqual(exception.trips);
    expectWithin(taken, warmBudgetOf(operation));
  });
});

describe("an isolate that has just begun", () => {
  let trips: Asking;
  beforeAll(async () => {
    trips = asking(await givenFuzzedWorld());
  }, 60_000);

  it.each(named(reads))("%s stays within its round trips, also once more", async (_, operation) => {
    forget();
    expectWithin(await trips(operation), coldBudgetOf(operation));
    expectWithin(await trips(operation), warmBudgetOf(operation));
  });

  it.each(named(writes))("%s stays within its round trips", async (_, operation) => {
    const taken = await trips(operation, () => {
      forget();
      return takesKey(operation) ? { "Idempotency-Key": crypto.randomUUID() } : {};
    });
    const cold = coldBudgetOf(operation);
    const keyed = takesKey(operation) ? keyCostsOf(operation) : 0;
    expectWithin(taken, { ...cold, d1: cold.d1 + keyed });
  });
});
