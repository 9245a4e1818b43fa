import type { Operation } from "../operations.ts";

/**
 * Differences of one kind, and why a fault may leave them. A missing row is never allowed by itself:
 * an allowed row of the same table must be there in its place.
 */
type AllowedDifference = Readonly<{ difference: RegExp; reason: string }>;

const countedCode: AllowedDifference = {
  difference: /^too much: \+ one_time_codes /,
  reason: "a code whose response was lost may have been sent, so it counts against the limits",
};
const secondCode: AllowedDifference = {
  difference:
    /^too much: (?:\+ one_time_codes .*"wrong_tries":0,.*"redeemed_at":time,"wrong_tries_elsewhere":0,"redeemed_address_digest":"word",|~ one_time_codes \{"id":\d+,"redeemed_at":time\}$)/,
  reason:
    "a caller that lost the response redeems another code, and the latest code that a network redeemed makes it known",
};
const secondLogin: AllowedDifference = {
  difference:
    /^too much: \+ (?:link_(?:refresh_tokens|sessions) |object holder .*"minGeneration":3,|object login .*"generation":3,)/,
  reason:
    "a code works once, so a caller that lost the response logs in with another; nobody has the token of the first login",
};
const secondQuote: AllowedDifference = {
  difference: /^too much: \+ (?:price|fx)_quotes /,
  reason: "a quote commits nobody: the lost response had one, and the repeat returns another",
};
const secondTicket: AllowedDifference = {
  difference: /^too much: \+ object socket_ticket /,
  reason: "a ticket whose response was lost opens nothing and expires; the repeat returns another",
};
const secondLink: AllowedDifference = {
  difference: /^too much: \+ audit_entries .*"order\.payment_link_created"/,
  reason:
    "the repeat creates a link again, which has its own audit entry; the order's deadline moves once",
};
const countedAttempt: AllowedDifference = {
  difference: /^too much: ~ payments .*"status":"captured".*"failed_attempts":/,
  reason: "an attempt whose response was lost counts, so that a provider receives three at most",
};
const settledByCron: AllowedDifference = {
  difference:
    /^(?:answered 503 .*, then 201 .*"pending"|too much: \+ refunds .*"status":"refunded".*"attempts":1,)/,
  reason: "a refund without the provider's response is pending until cron settles it",
};
const claimedLetter: AllowedDifference = {
  difference:
    /^(?:too much|missing): ~ dead_letters \{"id":"[^"]+","(?:claimed_until|retried_at)":time\}$/,
  reason:
    "a letter whose retry stopped half-way stays claimed for a moment; the next retry after it sends it again",
};
const auditedFirst: AllowedDifference = {
  difference: /^too much: \+ audit_entries /,
  reason:
    "the audit entry goes to the shard before the change goes to CORE: an entry may be written twice, and no change is without one",
};
const interruptedImport: AllowedDifference = {
  difference: /^(?:answered 503 .*, then 200 |too much: \+ imports )/,
  reason:
    "an interrupted import stays in the list; its repeat is another import, which finds the products unchanged",
};
const invisibleFile: AllowedDifference = {
  difference: /^too much: \+ (?:uploads .*"confirmed_at":null|word$)/,
  reason:
    "a file that was stored and whose product was not written is seen by nobody until the purge job removes it",
};
const ownSessionEnded: AllowedDifference = {
  difference: /^(?:answered 503 .*, then 401 |too much: \+ idempotency_keys )/,
  reason: "the first call ended the caller's own session, so the repeat is unauthenticated",
};

const secondConsoleLogin: AllowedDifference = {
  difference: /^too much: \+ console_sessions /,
  reason: secondLogin.reason,
};
const secondChallenge: AllowedDifference = {
  difference: /^too much: \+ passkey_challenges /,
  reason: "a challenge whose response was lost is answered by nobody and expires",
};

/** The differences that the contract allows, by operation. */
const allowedDifferences = new Map<string, readonly AllowedDifference[]>([
  ["POST /v1/console/auth/request-otp", [countedCode]],
  ["POST /v1/console/auth/verify-otp", [secondCode, secondConsoleLogin]],
  ["DELETE /v1/console/me", [ownSessionEnded]],
  ["POST /v1/console/auth/passkeys/register-options", [secondChallenge]],
  ["POST /v1/console/auth/passkeys/login-options", [secondChallenge]],
  ["POST /v1/businesses/{business_id}/members", [auditedFirst]],
  ["PATCH /v1/businesses/{business_id}/members/{member_id}", [auditedFirst]],
  ["DELETE /v1/businesses/{business_id}/members/{member_id}", [auditedFirst]],
  ["POST /api/v1/auth/request-otp", [countedCode]],
  ["POST /v1/link/auth/request-otp", [countedCode]],
  ["POST /v1/link/elements/request-otp", [countedCode]],
  ["POST /api/v1/auth/verify-otp", [secondCode, secondLogin]],
  ["POST /v1/link/auth/verify-otp", [secondCode, secondLogin]],
  ["POST /v1/link/elements/verify-otp", [secondCode, secondLogin]],
  ["POST /api/v1/catalogue/quotes", [secondQuote]],
  ["POST /api/v1/fx/quotes", [secondQuote]],
  ["POST /v1/businesses/{business_id}/conversations/{thread_id}/ticket", [secondTicket]],
  ["POST /api/v1/payments/authorization", [countedAttempt]],
  ["POST /v1/businesses/{business_id}/orders/{order_id}/refunds", [settledByCron]],
  ["POST /v1/businesses/{business_id}/orders/{order_id}/payment-link", [secondLink]],
  ["POST /v1/businesses/{business_id}/imports", [interruptedImport]],
  ["POST /v1/businesses/{business_id}/exports", [auditedFirst]],
  ["POST /v1/businesses/{business_id}/products/{product_id}/images", [invisibleFile]],
  ["PATCH /v1/businesses/{business_id}", [auditedFirst]],
  ["POST /v1/businesses/{business_id}/keys", [auditedFirst]],
  ["DELETE /v1/businesses/{business_id}/keys/{key_id}", [auditedFirst]],
  ["POST /v1/operator/dead-letters/retry", [claimedLetter]],
  ["POST /v1/operator/dead-letters/{dead_letter_id}/retry", [claimedLetter]],
  ["POST /v1/businesses/{business_id}/agent-keys/rotate", [auditedFirst]],
  ["POST /v1/businesses/{business_id}/domains", [auditedFirst]],
  ["DELETE /v1/businesses/{business_id}/domains/{domain_id}", [auditedFirst]],
  ["PUT /v1/businesses/{business_id}/payment-providers/{provider}", [auditedFirst]],
  ["DELETE /v1/businesses/{business_id}/payment-providers/{provider}", [auditedFirst]],
  ["POST /v1/businesses/{business_id}/payment-providers/{provider}/purge", [auditedFirst]],
  ...["suspend", "resume", "close"].map(
    (verb) => [`POST /v1/businesses/{business_id}/${verb}`, [auditedFirst]] as const,
  ),
  ["POST /v1/businesses/{business_id}/locations", [auditedFirst]],
  ["PATCH /v1/businesses/{business_id}/locations/{location_id}", [auditedFirst]],
  ["DELETE /v1/businesses/{business_id}/locations/{location_id}", [auditedFirst]],
  ["POST /v1/organizations/{organization_id}/keys", [auditedFirst]],
  ["DELETE /v1/organizations/{organization_id}/keys/{key_id}", [auditedFirst]],
  ["POST /v1/link/auth/logout", [ownSessionEnded]],
  ["DELETE /v1/link/sessions", [ownSessionEnded]],
  ["DELETE /v1/link/contacts/{contact_id}", [ownSessionEnded]],
  ["DELETE /v1/link/sessions/{id}", [ownSessionEnded]],
]);

/** The differences of an operation that the contract does not allow. */
export function forbiddenDifferences(
  { id }: Operation,
  differences: readonly string[],
): readonly string[] {
  const allowed = allowedDifferences.get(id) ?? [];
  const isAllowed = (text: string) => allowed.some(({ difference }) => difference.test(text));
  const replacements = differences.filter(isAllowed).map(rowKindOf);
  return differences.filter((text) => {
    if (isAllowed(text)) return false;
    const at = text.startsWith("missing: ") ? replacements.indexOf(rowKindOf(text)) : -1;
    if (at >= 0) replacements.splice(at, 1);
    return at < 0;
  });
}

/** The change and the table of a difference's row, such as `+ refunds`. Null for a response. */
const rowKindOf = (difference: string): string | null =>
  /^(?:too much|missing): ([+~-] (?:object )?\S+)/.exec(difference)?.[1] ?? null;
