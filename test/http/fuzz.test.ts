import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { ApiResponse } from "../support/world.ts";
import { createFuzzClient } from "./fuzz/create-fuzz-client.ts";
import { arbitraryRequests, type FuzzedRequest, sampleFuzzRequests } from "./fuzz/requests.ts";
import { findResponseFault } from "./fuzz/response-rules.ts";
import { earlierOperations } from "./operation-order.ts";
import { byId, listOperations, type Operation } from "./operations.ts";

// `npm run fuzz` sets FUZZ_REQUESTS=20000. FUZZ_SEED and FUZZ_PATH repeat a failure that printed
// them; -t "METHOD path" selects its operation.
const {
  FUZZ_REQUESTS: requests = "1000",
  FUZZ_SEED: seed = "20260801",
  FUZZ_PATH: path,
}: Record<string, string | undefined> = import.meta.env;

/** Operations that end or use up records of other operations come later, in this order. */
const laterOperations: readonly RegExp[] = [
  /\/(?:skip|reschedule)$/,
  /\/pause$/,
  /\/resume$/,
  /^DELETE \/api\/v1\/cart\/items/,
  /\/checkout$/,
  /^PATCH \/api\/v1\/webhooks/,
  /^(?:PATCH|PUT|POST) \/v1\/businesses(?!.*\/bookings$)/,
  /\/bulk-status$/,
  /\/(?:cancel|close)$/,
  /\/bookings\/\{booking_id\}\/status$/,
  /^DELETE .*\/products\/\{product_id\}\//,
  /^DELETE (?!\/api\/v1\/cart\/items|.*\/products\/\{product_id\}\/)/,
  /\/(?:verify-otp|auth\/refresh|elements\/refresh)$/,
  /^DELETE .*\/(?:sessions|contacts|data|keys)/,
  /^DELETE \/v1\/console\/me$/,
  /\/logout$/,
  /^POST \/v1\/businesses\/\{business_id\}\/suspend$/,
  /^POST \/v1\/businesses\/\{business_id\}\/close$/,
  /^POST \/v1\/businesses\/\{business_id\}\/resume$/,
  /^(?:PATCH \/v1\/businesses\/\{business_id\}|POST .*\/move)$/,
];
const stageOf = ({ id }: Operation): number =>
  earlierOperations.test(id) ? -2 : laterOperations.findLastIndex((stage) => stage.test(id));

/**
 * Operations that need a socket or a provider's signature, or records that the test customer no
 * longer has.
 */
const neverSuccessful: readonly string[] = [
  "POST /api/v1/payments/providers/paystack/webhook",
  "POST /api/v1/payments/providers/{provider}/webhook/{business_id}",
  "POST /v1/businesses/{business_id}/payment-providers/{provider}/purge", // the account is active
  "GET /api/v1/support/conversation/ws",
  "GET /v1/businesses/{business_id}/conversations/{thread_id}/ws",
  "POST /api/v1/orders/{order_id}/reopen-cart",
  "DELETE /api/v1/cart/coupons/{coupon_code}", // random writes have removed the coupon by then
  "POST /v1/businesses/{business_id}/orders/{order_id}/payments/mark-paid",
  "POST /v1/businesses/{business_id}/orders/{order_id}/cancel",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/status",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/cancel",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule",
  "POST /v1/businesses/{business_id}/move",
  "POST /v1/businesses/{business_id}/imports/business", // takes an empty business
  "POST /v1/link/auth/refresh",
  "POST /v1/link/elements/refresh",
  "POST /v1/link/contacts",
  "DELETE /v1/link/contacts/{contact_id}",
  "DELETE /v1/link/sessions",
  "DELETE /v1/link/sessions/{id}",
  "POST /v1/link/auth/logout",
];

const operations = (await listOperations()).toSorted((one, other) => stageOf(one) - stageOf(other));

/** Writes get twice the share of requests: more can go wrong. */
const shareWeight = ({ takesJson }: Operation): number => (takesJson ? 2 : 1);
const allWeights = operations.reduce((sum, operation) => sum + shareWeight(operation), 0);
/** The sample requests of an operation count towards its share. */
const runCountFor = (operation: Operation): number => {
  const share = (Number(requests) * shareWeight(operation)) / allWeights;
  return Math.max(1, Math.round(share - sampleFuzzRequests(operation).length));
};

const fuzzTimeoutMs = 3_600_000;
/** The time after which a response counts as missing, even on a busy machine. */
const responseTimeoutMs = 20_000;

let ask: Awaited<ReturnType<typeof createFuzzClient>>;
/** The operations without a success so far, with their first refusal. */
const neverSuccessfulYet = new Map(operations.map(({ id }) => [id, ""]));

beforeAll(async () => {
  ask = await createFuzzClient();
}, 60_000);

describe.each(byId(operations))("%s", (_, operation) => {
  it(
    "responds to any request, and never with a 500",
    async () => {
      for (const request of sampleFuzzRequests(operation))
        await assertValidResponse(operation, request);
      await fc.assert(
        fc.asyncProperty(arbitraryRequests(operation), (request) =>
          assertValidResponse(operation, request),
        ),
        {
          numRuns: runCountFor(operation),
          seed: Number(seed),
          ...(path !== undefined && { path }),
        },
      );
    },
    fuzzTimeoutMs,
  );
});

describe("the sample requests", () => {
  it("succeeded at every other operation", () => {
    const missed = [...neverSuccessfulYet].filter(([id]) => !neverSuccessful.includes(id));
    expect(missed.map((one) => one.join(": "))).toEqual([]);
  });
});

async function assertValidResponse(operation: Operation, request: FuzzedRequest): Promise<void> {
  const describeRequest = () => `${operation.id}: ${JSON.stringify(request)}`;
  const answer = await withTimeout(ask(operation, request)).catch((error: unknown) => {
    throw new Error(`${describeRequest()}: ${error}`);
  });
  recordSuccess(operation, answer);
  const fault = findResponseFault(operation, answer);
  if (fault === null) return;
  const text = JSON.stringify(answer.body).slice(0, 500);
  throw new Error(`${describeRequest()} is answered ${answer.status} ${text}: ${fault}`);
}

function recordSuccess({ id }: Operation, { status, body }: ApiResponse): void {
  if (status < 300) neverSuccessfulYet.delete(id);
  else if (neverSuccessfulYet.get(id) === "")
    neverSuccessfulYet.set(id, `${status} ${JSON.stringify(body)}`);
}

function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer in ${responseTimeoutMs} ms`)),
      responseTimeoutMs,
    );
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
