import { beforeAll, describe, expect, it } from "vitest";
import type { ApiResponse } from "../support/world.ts";
import { createFuzzClient } from "./fuzz/create-fuzz-client.ts";
import { sampleFuzzRequests } from "./fuzz/requests.ts";
import { byId, listOperations, type Operation } from "./operations.ts";

/** POST operations that only read: nothing is written, so no response is stored. */
const readOnlyPosts: readonly string[] = [
  "POST /api/v1/catalogue/products/{product_id}/variants/find",
  "POST /api/v1/catalogue/composites/{composite_id}/calculate-price",
  "POST /api/v1/catalogue/deals/validate",
  "POST /api/v1/places/autocomplete",
  "POST /api/v1/places/details",
  "POST /v1/link/check-status",
];

const codeWorksOnce =
  "a code works once, and its response holds a session token, which is never stored";

/** Writes without stored responses, and why. */
const withoutStoredResponse: ReadonlyMap<string, string> = new Map([
  ["POST /api/v1/auth/request-otp", "a code is sent at most every 30 seconds"],
  ["POST /v1/link/auth/request-otp", "as above"],
  ["POST /v1/link/elements/request-otp", "as above"],
  ["POST /api/v1/auth/verify-otp", codeWorksOnce],
  ["POST /v1/link/auth/verify-otp", codeWorksOnce],
  ["POST /v1/link/elements/verify-otp", codeWorksOnce],
  ["POST /v1/console/auth/request-otp", "a code is sent at most every 30 seconds"],
  ["POST /v1/console/auth/verify-otp", codeWorksOnce],
  ["POST /v1/console/auth/logout", "a repeat gets the same response"],
  ["DELETE /v1/console/me", "a repeat has no login"],
  ...["register-options", "login-options"].map(
    (name) =>
      [`POST /v1/console/auth/passkeys/${name}`, "a repeat gets another challenge"] as const,
  ),
  ...["register", "login"].map(
    (name) => [`POST /v1/console/auth/passkeys/${name}`, "a challenge is answered once"] as const,
  ),
  ["POST /api/v1/sessions", "a repeat starts another session, and nothing is stored"],
  ["POST /api/v1/auth/logout", "a repeat has no session and gets the same response"],
  [
    "POST /api/v1/payments/providers/paystack/webhook",
    "Paystack sends no key, and a webhook only triggers a lookup of the payment",
  ],
  ["POST /api/v1/payments/providers/{provider}/webhook/{business_id}", "as above"],
]);

/** These end the caller's session, so a repeat is 401. */
const endCallerSession: readonly string[] = [
  "POST /v1/link/auth/logout",
  "DELETE /v1/link/sessions",
  "DELETE /v1/link/sessions/{id}",
  "DELETE /v1/link/contacts/{contact_id}",
];

/**
 * Need something that works once; repeated in test/storefront/checkout.test.ts,
 * test/link/refresh.test.ts, test/link/contacts.test.ts and test/portability.
 */
const testedElsewhere: readonly string[] = [
  "POST /api/v1/checkout",
  "POST /v1/link/auth/refresh",
  "POST /v1/link/elements/refresh",
  "POST /v1/link/contacts",
  "POST /v1/businesses/{business_id}/imports/business", // takes an empty business
  "POST /v1/businesses/{business_id}/exports", // a business with an open one cannot move
];

/** Operations that end records of other operations come later. */
const laterOperations: readonly RegExp[] = [
  /^DELETE /,
  /^DELETE .*\/(?:cart|data|keys)/,
  /^POST \/v1\/businesses\/\{business_id\}\/suspend$/,
  /^POST \/v1\/businesses\/\{business_id\}\/close$/,
  /^POST \/v1\/businesses\/\{business_id\}\/resume$/,
  /\/move$/,
];
const stageOf = ({ id }: Operation): number =>
  laterOperations.findLastIndex((stage) => stage.test(id));

const operations = (await listOperations()).toSorted((one, other) => stageOf(one) - stageOf(other));
const writes = operations.filter(
  ({ id, method }) => method !== "GET" && !readOnlyPosts.includes(id),
);
const storingWrites = writes.filter(({ id }) => !withoutStoredResponse.has(id));
const repeatable = storingWrites.filter(
  ({ id }) => ![...endCallerSession, ...testedElsewhere].includes(id),
);

const takesKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ name, in: location }) => location === "header" && name === "Idempotency-Key");

describe("the OpenAPI documents", () => {
  it("declare the Idempotency-Key for exactly the writes that store their response", () => {
    expect(operations.filter(takesKey).map(({ id }) => id)).toEqual(
      storingWrites.map(({ id }) => id),
    );
  });

  it("contain every operation of this test's tables", () => {
    const known = operations.map(({ id }) => id);
    for (const id of [
      ...readOnlyPosts,
      ...withoutStoredResponse.keys(),
      ...endCallerSession,
      ...testedElsewhere,
    ])
      expect(known).toContain(id);
  });
});

let ask: Awaited<ReturnType<typeof createFuzzClient>>;

beforeAll(async () => {
  ask = await createFuzzClient();
}, 60_000);

const statusAndBody = ({ status, body }: ApiResponse): string =>
  `${status} ${JSON.stringify(body)}`;

/** The statuses whose responses are stored; after others a key counts as unused. */
const isStoredStatus = ({ status }: ApiResponse): boolean =>
  status < 300 || status === 404 || status === 409 || status === 422;

describe.each(byId(repeatable))("%s", (_, operation) => {
  it("replays its response when it is repeated with its Idempotency-Key", async () => {
    const responses: string[] = [];
    for (const request of sampleFuzzRequests(operation)) {
      const headers = { ...request.headers, "Idempotency-Key": crypto.randomUUID() };
      const first = await ask(operation, { ...request, headers });
      responses.push(statusAndBody(first));
      if (!isStoredStatus(first)) continue;
      const again = await ask(operation, { ...request, headers });
      expect(statusAndBody(again)).toBe(statusAndBody(first));
      expect(again.headers.get("Idempotency-Replayed")).toBe("true");
      expect(again.headers.get("Set-Cookie")).toBeNull();
      return;
    }
    expect.fail(`No response was stored: ${responses.join("; ")}`);
  });
});
