import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/world.ts";
import { givenFuzzedWorld } from "./fuzz/fuzzed-world.ts";
import { deepRequestsOf } from "./fuzz/requests.ts";
import { named, type Operation, operationsOfDocuments } from "./operations.ts";

/** What is a POST for its body's sake: nothing is written, and so nothing is kept. */
const reads: readonly string[] = [
  "POST /api/v1/catalogue/products/{product_id}/variants/find",
  "POST /api/v1/catalogue/composites/{composite_id}/calculate-price",
  "POST /api/v1/catalogue/deals/validate",
  "POST /api/v1/places/autocomplete",
  "POST /api/v1/places/details",
  "POST /v1/link/check-status",
];

const worksOnce = "a code works once, and what it brings is a session, which is never kept";

/** Writes that keep no answers, and why. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ["POST /api/v1/auth/request-otp", "a code is sent at most every 30 seconds, whoever asks"],
  ["POST /v1/link/auth/request-otp", "as above"],
  ["POST /v1/link/elements/request-otp", "as above"],
  ["POST /api/v1/auth/verify-otp", worksOnce],
  ["POST /v1/link/auth/verify-otp", worksOnce],
  ["POST /v1/link/elements/verify-otp", worksOnce],
  ["POST /api/v1/auth/logout", "without a session nothing happens, with the same answer"],
  [
    "POST /api/v1/payments/providers/paystack/webhook",
    "Paystack has no key to send: a notice only makes us ask how its payment stands",
  ],
]);

/** The token of whoever repeats these is over by then: 401, whatever came with it. */
const endTheirCaller: readonly string[] = [
  "POST /v1/link/auth/logout",
  "DELETE /v1/link/sessions",
  "DELETE /v1/link/sessions/{id}",
];

/** Repeated where a test has what works once: test/storefront/checkout.test.ts, test/link/refresh.test.ts. */
const elsewhere: readonly string[] = [
  "POST /api/v1/checkout",
  "POST /v1/link/auth/refresh",
  "POST /v1/link/elements/refresh",
];

/** What ends what others are asked about comes after them. */
const stages: readonly RegExp[] = [/^DELETE /, /^DELETE .*\/(?:cart|data|keys)/, /\/move$/];
const lateness = ({ id }: Operation): number => stages.findLastIndex((stage) => stage.test(id));

const operations = (await operationsOfDocuments()).toSorted(
  (one, other) => lateness(one) - lateness(other),
);
const writes = operations.filter(({ id, method }) => method !== "GET" && !reads.includes(id));
const kept = writes.filter(({ id }) => !exceptions.has(id));
const repeatable = kept.filter(({ id }) => ![...endTheirCaller, ...elsewhere].includes(id));

const takesKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ name, in: place }) => place === "header" && name === "Idempotency-Key");

describe("the documents", () => {
  it("name the Idempotency-Key at each write that keeps its answer, and nowhere else", () => {
    expect(operations.filter(takesKey).map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
  });

  it("have every exception among their operations", () => {
    const known = operations.map(({ id }) => id);
    for (const id of [...reads, ...exceptions.keys(), ...endTheirCaller, ...elsewhere])
      expect(known).toContain(id);
  });
});

let ask: Awaited<ReturnType<typeof givenFuzzedWorld>>;

beforeAll(async () => {
  ask = await givenFuzzedWorld();
}, 60_000);

const told = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body)}`;

/** The answers that decide something (completions.md 6): others leave a key as if never used. */
const isDecided = ({ status }: Answer): boolean =>
  status < 300 || status === 404 || status === 409 || status === 422;

describe.each(named(repeatable))("%s", (_, operation) => {
  it("sent twice with one Idempotency-Key is answered as the first time, and done once", async () => {
    const answered: string[] = [];
    for (const request of deepRequestsOf(operation)) {
      const headers = { ...request.headers, "Idempotency-Key": crypto.randomUUID() };
      const first = await ask(operation, { ...request, headers });
      answered.push(told(first));
      if (!isDecided(first)) continue;
      const again = await ask(operation, { ...request, headers });
      expect(told(again)).toBe(told(first));
      expect(again.headers.get("Idempotency-Replayed")).toBe("true");
      return;
    }
    expect.fail(`Nothing was decided: ${answered.join("; ")}`);
  });
});
