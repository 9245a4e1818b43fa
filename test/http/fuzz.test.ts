import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/world.ts";
import { faultOf } from "./fuzz/demands.ts";
import { givenFuzzedWorld } from "./fuzz/fuzzed-world.ts";
import { deepRequestsOf, type FuzzedRequest, requestsOf } from "./fuzz/requests.ts";
import { named, type Operation, operationsOfDocuments } from "./operations.ts";

// FUZZ_REQUESTS=20000 for a campaign (npm run fuzz); seed and path as a failure prints them, with
// -t "METHOD path" for the operation alone.
const {
  FUZZ_REQUESTS: requests = "1000",
  FUZZ_SEED: seed = "20260801",
  FUZZ_PATH: path,
}: Record<string, string | undefined> = import.meta.env;

/** What uses up or ends what others are asked about comes after them, in this order. */
const stages: readonly RegExp[] = [
  /\/(?:skip|reschedule)$/,
  /\/pause$/,
  /\/resume$/,
  /^DELETE \/api\/v1\/cart\/items/,
  /\/checkout$/,
  /^PATCH \/api\/v1\/webhooks/,
  /^(?:PATCH|PUT|POST) \/v1\/businesses/,
  /\/(?:cancel|close)$/,
  /\/bookings\/\{booking_id\}\/status$/,
  /^DELETE (?!\/api\/v1\/cart\/items)/,
  /\/(?:verify-otp|auth\/refresh|elements\/refresh)$/,
  /^DELETE .*\/(?:sessions|data|keys)/,
  /\/logout$/,
  /^(?:PATCH \/v1\/businesses\/\{business_id\}|POST .*\/move)$/,
];
const lateness = ({ id }: Operation): number => stages.findLastIndex((stage) => stage.test(id));

/** What needs a socket or a provider's signature, or what the world's one customer does not have or has used up by then. */
const outOfReach: readonly string[] = [
  "POST /api/v1/payments/providers/paystack/webhook",
  "GET /api/v1/support/conversation/ws",
  "GET /v1/businesses/{business_id}/conversations/{thread_id}/ws",
  "POST /v1/businesses/{business_id}/orders/{order_id}/payments/mark-paid",
  "POST /v1/businesses/{business_id}/orders/{order_id}/cancel",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/status",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/cancel",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule",
  "POST /v1/businesses/{business_id}/move",
  "POST /v1/link/auth/refresh",
  "POST /v1/link/elements/refresh",
  "DELETE /v1/link/sessions",
  "DELETE /v1/link/sessions/{id}",
  "POST /v1/link/auth/logout",
];

const operations = (await operationsOfDocuments()).toSorted(
  (one, other) => lateness(one) - lateness(other),
);

/** Writes have more to go wrong. */
const weightOf = ({ takesJson }: Operation): number => (takesJson ? 2 : 1);
const allWeights = operations.reduce((sum, operation) => sum + weightOf(operation), 0);
/** The deep requests of an operation count among its share. */
const runsOf = (operation: Operation): number => {
  const share = (Number(requests) * weightOf(operation)) / allWeights;
  return Math.max(1, Math.round(share - deepRequestsOf(operation).length));
};

const campaign = 3_600_000;
/** No answer may take so long, on however busy a machine. */
const patience = 20_000;

let ask: Awaited<ReturnType<typeof givenFuzzedWorld>>;
/** Of the operations that took no request yet, what the first one was told. */
const unreached = new Map(operations.map(({ id }) => [id, ""]));

beforeAll(async () => {
  ask = await givenFuzzedWorld();
}, 60_000);

describe.each(named(operations))("%s", (_, operation) => {
  it(
    "answers whatever it is sent, and never with a 500",
    async () => {
      for (const request of deepRequestsOf(operation)) await demandAnswer(operation, request);
      await fc.assert(
        fc.asyncProperty(requestsOf(operation), (request) => demandAnswer(operation, request)),
        {
          numRuns: runsOf(operation),
          seed: Number(seed),
          ...(path !== undefined && { path }),
        },
      );
    },
    campaign,
  );
});

describe("these requests", () => {
  it("reached nearly every operation's own work", () => {
    const missed = [...unreached].filter(([id]) => !outOfReach.includes(id));
    expect(missed.map((one) => one.join(": "))).toEqual([]);
  });
});

async function demandAnswer(operation: Operation, request: FuzzedRequest): Promise<void> {
  const told = () => `${operation.id}: ${JSON.stringify(request)}`;
  const answer = await inTime(ask(operation, request)).catch((error: unknown) => {
    throw new Error(`${told()}: ${error}`);
  });
  note(operation, answer);
  const fault = faultOf(operation, answer);
  if (fault === null) return;
  const text = JSON.stringify(answer.body).slice(0, 500);
  throw new Error(`${told()} is answered ${answer.status} ${text}: ${fault}`);
}

function note({ id }: Operation, { status, body }: Answer): void {
  if (status < 300) unreached.delete(id);
  else if (unreached.get(id) === "") unreached.set(id, `${status} ${JSON.stringify(body)}`);
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${patience} ms`)), patience);
  });
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
