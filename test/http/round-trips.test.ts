import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ApiResponse, roundTrips } from "../support/world.ts";
import { createFuzzClient } from "./fuzz/create-fuzz-client.ts";
import { sampleFuzzRequests } from "./fuzz/requests.ts";
import { inRunnableOrder } from "./operation-order.ts";
import { byId, listOperations, type Operation } from "./operations.ts";
import {
  coldBudgetFor,
  keyCostFor,
  keysForOneRoundTrip,
  keysWithoutCost,
  overBudget,
  type RoundTripBudget,
  warmBudgetFor,
} from "./round-trip-budgets.ts";

/** Operations that cannot succeed here, or only once, and where their round trips are tested. */
const testedElsewhere: ReadonlyMap<string, string> = new Map([
  ["GET /api/v1/support/conversation/ws", "a socket"],
  ["GET /v1/businesses/{business_id}/conversations/{thread_id}/ws", "a socket"],
  ["POST /api/v1/payments/providers/paystack/webhook", "test/payments/paystack-over-http.test.ts"],
  [
    "POST /api/v1/payments/providers/{provider}/webhook/{business_id}",
    "test/storefront/provider-webhook.test.ts",
  ],
  [
    "POST /v1/businesses/{business_id}/payment-providers/{provider}/purge",
    "test/business/payment-providers.test.ts",
  ],
  ["POST /v1/operator/dead-letters/retry", "test/operator/dead-letters.test.ts"],
  ["POST /api/v1/orders/{order_id}/reopen-cart", "test/storefront/reopen-cart.test.ts"],
  ["POST /v1/link/auth/refresh", "test/link/refresh.test.ts"],
  ["POST /v1/link/elements/refresh", "test/link/refresh.test.ts"],
  ["POST /v1/businesses/{business_id}/imports/business", "test/portability/imports.test.ts"],
  ["POST /v1/businesses/{business_id}/exports", "test/portability/exports.test.ts"],
  ["POST /v1/link/contacts", "test/link/contacts.test.ts"],
  ["DELETE /v1/link/contacts/{contact_id}", "test/link/contacts.test.ts"],
  ["POST /v1/link/auth/logout", "another request revokes the only session"],
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

const operations = inRunnableOrder(await listOperations());
const measuredOperations = operations.filter(({ id }) => !testedElsewhere.has(id));
const isRead = ({ method }: Operation) => method === "GET";
const reads = measuredOperations.filter(isRead);
const writes = measuredOperations.filter((operation) => !isRead(operation));
const takesKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ name }) => name === "Idempotency-Key");

type Headers = Readonly<Record<string, string>>;

/** Sends the sample requests of an operation until one succeeds, and returns its round trips. */
function createMeasuredClient(ask: Awaited<ReturnType<typeof createFuzzClient>>) {
  return async (
    operation: Operation,
    headersOf: () => Headers = () => ({}),
  ): Promise<RoundTripBudget> => {
    const refusals: string[] = [];
    for (const request of sampleFuzzRequests(operation)) {
      const headers = { ...request.headers, ...headersOf() };
      const answer: ApiResponse = await ask(operation, { ...request, headers });
      if (answer.status < 300) {
        const { d1, do: objects } = roundTrips(answer);
        return { d1, do: objects };
      }
      refusals.push(`${answer.status} ${JSON.stringify(answer.body)}`);
    }
    throw new Error(`${operation.id} did not succeed: ${refusals.join("; ")}`);
  };
}

type MeasuredClient = ReturnType<typeof createMeasuredClient>;

/**
 * Advances the clock past the 5 seconds for which isolates cache keys and catalogues, and holds it.
 */
function expireCaches(): number {
  const later = Date.now() + 5_001;
  vi.setSystemTime(later);
  return later;
}

function expectWithin(trips: RoundTripBudget, budget: RoundTripBudget): void {
  expect(trips.d1, "round trips to D1").toBeLessThanOrEqual(budget.d1);
  expect(trips.do, "round trips to objects").toBeLessThanOrEqual(budget.do);
}

describe("the tables of budgets", () => {
  it("name only documented operations", () => {
    const known = operations.map(({ id }) => id);
    for (const id of [
      ...overBudget.keys(),
      ...testedElsewhere.keys(),
      ...keysWithoutCost,
      ...keysForOneRoundTrip,
    ])
      expect(known).toContain(id);
  });
});

describe("an isolate with cached keys and catalogue", () => {
  let trips: MeasuredClient;
  let time: number;
  beforeAll(async () => {
    trips = createMeasuredClient(await createFuzzClient());
    time = expireCaches();
    for (const read of reads) await trips(read);
  }, 60_000);
  beforeEach(() => {
    vi.setSystemTime(time); // on a busy machine the caches would expire between two tests
  });

  it.each(byId(writes))("%s stays within its round trips", async (_, operation) => {
    const taken = await trips(operation);
    const exception = overBudget.get(operation.id);
    if (exception) expect(taken, exception.why).toEqual(exception.trips);
    expectWithin(taken, warmBudgetFor(operation));
  });
});

describe("a cold isolate", () => {
  let trips: MeasuredClient;
  beforeAll(async () => {
    trips = createMeasuredClient(await createFuzzClient());
  }, 60_000);

  it.each(byId(reads))(
    "%s stays within its round trips, also when repeated",
    async (_, operation) => {
      expireCaches();
      expectWithin(await trips(operation), coldBudgetFor(operation));
      expectWithin(await trips(operation), warmBudgetFor(operation));
    },
  );

  it.each(byId(writes))("%s stays within its round trips", async (_, operation) => {
    const taken = await trips(operation, () => {
      expireCaches();
      return takesKey(operation) ? { "Idempotency-Key": crypto.randomUUID() } : {};
    });
    const cold = coldBudgetFor(operation);
    const keyed = takesKey(operation) ? keyCostFor(operation) : 0;
    expectWithin(taken, { ...cold, d1: cold.d1 + keyed });
  });
});
