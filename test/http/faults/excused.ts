import type { Operation } from "../operations.ts";

type Excuse = Readonly<{ complaint: RegExp; why: string }>;

const code: Excuse = {
  complaint: /^too much: \+ one_time_codes/,
  why: "a code that may have gone out counts; the next is to be had 30 s later (completions.md 3)",
};
const spent: Excuse = {
  complaint: /^(?:answered 503 .*, then 401 |missing: |too much: ~ one_time_codes)/,
  why: "a code works once: whoever lost the answer asks for another, which a spent code does not delay",
};
const quote: Excuse = {
  complaint: /^(?:too much|missing): \+ (?:price|fx)_quotes/,
  why: "a quote binds nobody: the answer that was lost had one, and the repeat has another",
};
const triesOfPayment: Excuse = {
  complaint: /: ~ payments .*"failed_attempts":/,
  why: "a try whose answer was lost counts, so that a provider hears of three at most",
};
const pendingRefund: Excuse = {
  complaint:
    /^(?:answered 503 .*, then 201 .*"pending"|too much: (?:~|\+ refunds .*"status":"pending")|missing: )/,
  why: "a refund whose provider gave no answer stands as pending, and cron settles it",
};
const howItCameTo: Excuse = {
  complaint: /^(?:too much|missing): \+ object checkouts/,
  why: "a checkout that was gone on with knows of it: test/checkout/faults looks at what was sold",
};
const entryFirst: Excuse = {
  complaint: /^too much: \+ audit_entries/,
  why: "CORE's changes are told of in the shop before they are made: one too many at worst, none that nobody can trace",
};
const unfinishedImport: Excuse = {
  complaint: /^(?:answered 503 .*, then 200 |(?:too much|missing): \+ imports)/,
  why: "an import that was cut off stays in the list; its repeat is another one, and finds the products that are there",
};
const ownEnd: Excuse = {
  complaint: /^(?:answered .*, then 401 |(?:too much|missing): \+ idempotency_keys)/,
  why: "the caller's own session is over by it, whoever asks again",
};

const inCore = ["keys", "keys/{key_id}", "locations", "locations/{location_id}"].map(
  (path) => `/v1/businesses/{business_id}/${path}`,
);

/** Differences that the contract allows, by the operation: what a fault may leave otherwise, and why. */
const excuses: ReadonlyMap<string, Excuse> = new Map([
  ["POST /api/v1/auth/request-otp", code],
  ["POST /v1/link/auth/request-otp", code],
  ["POST /v1/link/elements/request-otp", code],
  ["POST /api/v1/auth/verify-otp", spent],
  ["POST /v1/link/auth/verify-otp", spent],
  ["POST /v1/link/elements/verify-otp", spent],
  ["POST /api/v1/catalogue/quotes", quote],
  ["POST /api/v1/fx/quotes", quote],
  ["POST /api/v1/checkout", howItCameTo],
  ["POST /api/v1/payments/authorization", triesOfPayment],
  ["POST /v1/businesses/{business_id}/orders/{order_id}/refunds", pendingRefund],
  ["POST /v1/businesses/{business_id}/imports", unfinishedImport],
  ["PATCH /v1/businesses/{business_id}", entryFirst],
  ...inCore.flatMap((path) =>
    ["POST", "PATCH", "DELETE"].map((method) => [`${method} ${path}`, entryFirst] as const),
  ),
  ["POST /v1/organizations/{organization_id}/keys", entryFirst],
  ["DELETE /v1/organizations/{organization_id}/keys/{key_id}", entryFirst],
  ["POST /v1/link/auth/logout", ownEnd],
  ["DELETE /v1/link/sessions", ownEnd],
  ["DELETE /v1/link/sessions/{id}", ownEnd],
]);

/** Whether a complaint about an operation is none. */
export const isExcused = ({ id }: Operation, complaint: string): boolean =>
  excuses.get(id)?.complaint.test(complaint) ?? false;
