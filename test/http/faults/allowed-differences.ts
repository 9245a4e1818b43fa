import type { Operation } from "../operations.ts";

/** Differences of one kind, and why a fault may leave them. */
type AllowedDifference = Readonly<{ difference: RegExp; reason: string }>;

const countedCode: AllowedDifference = {
  difference: /^too much: \+ one_time_codes /,
  reason: "a code whose response was lost may have been sent, so it counts against the limits",
};
const redeemedCode = (tables: RegExp): AllowedDifference => ({
  difference: new RegExp(`^(?:answered 503 .*, then 401 |missing: [+-] (?:${tables.source}) )`),
  reason: "a code works once: a caller that lost the response requests another code",
});
const secondQuote: AllowedDifference = {
  difference: /^(?:too much|missing): \+ (?:price|fx)_quotes /,
  reason: "a quote commits nobody: the lost response had one, and the repeat returns another",
};
const secondTicket: AllowedDifference = {
  difference: /^(?:too much|missing): \+ object socket_ticket /,
  reason: "a ticket whose response was lost opens nothing and expires; the repeat returns another",
};
const secondLink: AllowedDifference = {
  difference: /^(?:too much|missing): \+ audit_entries .*"order\.payment_link_created"/,
  reason:
    "the repeat creates a link again, which has its own audit entry; the order's deadline moves once",
};
const countedAttempt: AllowedDifference = {
  difference: /^(?:too much|missing): ~ payments .*"status":"captured".*"failed_attempts":/,
  reason: "an attempt whose response was lost counts, so that a provider receives three at most",
};
const pendingRefund: AllowedDifference = {
  difference:
    /^(?:answered 503 .*, then 201 .*"pending"|too much: (?:~ (?:orders|payments) |\+ refunds .*"status":"pending")|missing: (?:[+~] (?:events|order_history|orders|payments|refunds|sandbox_charges|sandbox_refunds)) )/,
  reason: "a refund without the provider's response stays pending until cron settles it",
};
const auditedFirst: AllowedDifference = {
  difference: /^too much: \+ audit_entries /,
  reason:
    "the audit entry goes to the shard before the change goes to CORE: an entry may be written twice, and no change is without one",
};
const interruptedImport: AllowedDifference = {
  difference: /^(?:answered 503 .*, then 200 |(?:too much|missing): \+ imports )/,
  reason:
    "an interrupted import stays in the list; its repeat is another import, which finds the products unchanged",
};
const invisibleFile: AllowedDifference = {
  difference: /^too much: \+ (?:uploads .*"confirmed_at":null|word$)/,
  reason:
    "a file that was stored and whose product was not written is seen by nobody until the purge job removes it",
};
const ownSessionEnded: AllowedDifference = {
  difference: /^(?:answered 503 .*, then 401 |(?:too much|missing): \+ idempotency_keys )/,
  reason: "the first call ended the caller's own session, so the repeat is unauthenticated",
};

/** The differences that the contract allows, by operation. */
const allowedDifferences: ReadonlyMap<string, AllowedDifference> = new Map([
  ["POST /api/v1/auth/request-otp", countedCode],
  ["POST /v1/link/auth/request-otp", countedCode],
  ["POST /v1/link/elements/request-otp", countedCode],
  ["POST /api/v1/auth/verify-otp", redeemedCode(/customers|object holder|object login/)],
  [
    "POST /v1/link/auth/verify-otp",
    redeemedCode(/link_(?:accounts|contacts|refresh_tokens|sessions)/),
  ],
  [
    "POST /v1/link/elements/verify-otp",
    redeemedCode(/link_(?:accounts|contacts|refresh_tokens|sessions)/),
  ],
  ["POST /api/v1/catalogue/quotes", secondQuote],
  ["POST /api/v1/fx/quotes", secondQuote],
  ["POST /v1/businesses/{business_id}/conversations/{thread_id}/ticket", secondTicket],
  ["POST /api/v1/payments/authorization", countedAttempt],
  ["POST /v1/businesses/{business_id}/orders/{order_id}/refunds", pendingRefund],
  ["POST /v1/businesses/{business_id}/orders/{order_id}/payment-link", secondLink],
  ["POST /v1/businesses/{business_id}/imports", interruptedImport],
  ["POST /v1/businesses/{business_id}/products/{product_id}/images", invisibleFile],
  ["PATCH /v1/businesses/{business_id}", auditedFirst],
  ["POST /v1/businesses/{business_id}/keys", auditedFirst],
  ["DELETE /v1/businesses/{business_id}/keys/{key_id}", auditedFirst],
  ...["suspend", "resume", "close"].map(
    (verb) => [`POST /v1/businesses/{business_id}/${verb}`, auditedFirst] as const,
  ),
  ["POST /v1/businesses/{business_id}/locations", auditedFirst],
  ["PATCH /v1/businesses/{business_id}/locations/{location_id}", auditedFirst],
  ["DELETE /v1/businesses/{business_id}/locations/{location_id}", auditedFirst],
  ["POST /v1/organizations/{organization_id}/keys", auditedFirst],
  ["DELETE /v1/organizations/{organization_id}/keys/{key_id}", auditedFirst],
  ["POST /v1/link/auth/logout", ownSessionEnded],
  ["DELETE /v1/link/sessions", ownSessionEnded],
  ["DELETE /v1/link/contacts/{contact_id}", ownSessionEnded],
  ["DELETE /v1/link/sessions/{id}", ownSessionEnded],
]);

/** Whether the contract allows this difference of an operation. */
export const isAllowedDifference = ({ id }: Operation, difference: string): boolean =>
  allowedDifferences.get(id)?.difference.test(difference) ?? false;
