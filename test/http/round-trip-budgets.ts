import type { Operation } from "./operations.ts";

/** Round trips to D1 and to Durable Objects, as reported by Server-Timing. */
export type RoundTripBudget = Readonly<{ d1: number; do: number }>;

/** The budget of operations that have no budget of their own. */
const defaultBudget: RoundTripBudget = { d1: 2, do: 1 };

/** Reads that depend on stock, uses, quotes or the time, and are not cached. */
const uncachedRead =
  /^GET \/api\/v1\/(?:inventory|catalogue\/(?:quotes|products\/\{product_id\}\/available-now))\b/;
const catalogueRead = /^GET \/api\/v1\/(?:catalogue|business)\b/;
const deliveryRead = /^GET \/api\/v1\/delivery\//;
const cartDelivery = /^(?:PUT|DELETE) \/api\/v1\/cart\/delivery/;
const cartChange = /^(?:POST|PATCH) \/api\/v1\/cart\/(?:items|coupons)/;

/** Budgets for an isolate that has cached the caller's key and the catalogue. */
const budgetsByOperation: readonly (readonly [RegExp, RoundTripBudget])[] = [
  [uncachedRead, { d1: 1, do: 0 }],
  [catalogueRead, { d1: 0, do: 0 }],
  [deliveryRead, { d1: 0, do: 1 }],
  [/^GET \/api\/v1\/cart\b/, { d1: 0, do: 1 }],
  [cartChange, { d1: 1, do: 1 }], // of a product with tracked stock
  [cartDelivery, { d1: 1, do: 1 }], // of an address that nobody has sent lately
  [/^POST \/api\/v1\/checkout$/, { d1: 3, do: 1 }],
  [/^GET \/api\/v1\/orders/, { d1: 1, do: 1 }],
  [/^GET \/api\/v1\/scheduling\/(?:slots|availability)/, { d1: 2, do: 0 }],
];

const twoDatabasesReason =
  "the record is read in CORE, the audit entry goes to the business's shard, the change to CORE: no batch spans two databases";
const retryReason =
  "the letters are claimed, their businesses' shards read, and both ended after the queue has taken the messages";
const consoleReason = "every call reads the login, so that a logout takes effect immediately";
const linkSessionReason =
  "every call reads Link's session, so that a revocation takes effect immediately";

/**
 * Operations that exceed their budget without any failure, with their exact round trips and the
 * reason.
 */
export const overBudget: ReadonlyMap<
  string,
  Readonly<{ trips: RoundTripBudget; why: string }>
> = new Map([
  [
    "POST /api/v1/orders/{order_id}/cancel",
    {
      trips: { d1: 3, do: 1 },
      why: "for a paid order: it is read, cancelled together with the refund's claim, and the provider's response is stored after that",
    },
  ],
  [
    "POST /api/v1/scheduling/bookings/{booking_id}/cancel",
    {
      trips: { d1: 3, do: 1 },
      why: "for a paid booking: it is read, cancelled together with the refund's claim, and the provider's response is stored after that",
    },
  ],
  [
    "POST /api/v1/orders/{order_id}/pay",
    {
      trips: { d1: 3, do: 1 },
      why: "the order is read, the attempt's reference is written before the provider is called, so that no crash charges twice, and the response is stored",
    },
  ],
  [
    "POST /v1/businesses/{business_id}/bookings",
    {
      trips: { d1: 4, do: 0 },
      why: "the service is read, the order is priced and placed as at checkout, and read again with the number and the staff member that the batch gave it",
    },
  ],
  [
    "POST /v1/businesses/{business_id}/orders/{order_id}/refunds",
    {
      trips: { d1: 3, do: 0 },
      why: "the order is read, the claim is written before the provider is called, so that no crash refunds twice, and the response is stored",
    },
  ],
  [
    "POST /v1/businesses/{business_id}/imports",
    {
      trips: { d1: 4, do: 0 },
      why: "the start is stored first and the result last, and each part of the file is compared with the catalogue before it is written",
    },
  ],
  [
    "POST /v1/businesses/{business_id}/products/{product_id}/images",
    {
      trips: { d1: 3, do: 0 },
      why: "the product is read before the file is received, the file's row is written before its bytes, so that no crash leaves bytes without a row, and the product is written last",
    },
  ],
  [
    "POST /v1/businesses",
    {
      trips: { d1: 3, do: 0 },
      why: "CORE finds the shard with the fewest businesses, the audit entry goes to that shard, the business to CORE: no batch spans two databases",
    },
  ],
  ["PATCH /v1/businesses/{business_id}", { trips: { d1: 3, do: 0 }, why: twoDatabasesReason }],
  [
    "PATCH /v1/businesses/{business_id}/locations/{location_id}",
    { trips: { d1: 3, do: 0 }, why: twoDatabasesReason },
  ],
  [
    "DELETE /v1/businesses/{business_id}/locations/{location_id}",
    { trips: { d1: 3, do: 0 }, why: twoDatabasesReason },
  ],
  [
    "DELETE /v1/businesses/{business_id}/keys/{key_id}",
    { trips: { d1: 3, do: 0 }, why: twoDatabasesReason },
  ],
  [
    "POST /v1/businesses/{business_id}/members",
    {
      trips: { d1: 4, do: 0 },
      why: "the address may have a record, the audit entry goes to the business's shard, the record to CORE, where another call may have been first",
    },
  ],
  ...["PATCH", "DELETE"].map(
    (method) =>
      [
        `${method} /v1/businesses/{business_id}/members/{member_id}`,
        { trips: { d1: 3, do: 0 }, why: twoDatabasesReason },
      ] as const,
  ),
  [
    "POST /v1/console/auth/passkeys/register",
    {
      trips: { d1: 3, do: 0 },
      why: `${consoleReason}; the challenge is deleted before its answer is judged, so that it is answered once`,
    },
  ],
  [
    "POST /v1/businesses/{business_id}/agent-keys/rotate",
    {
      trips: { d1: 4, do: 0 },
      why: "the data key seals the new key first, the audit entry goes to the shard, the keys to CORE, which then lists what is published",
    },
  ],
  [
    "POST /v1/businesses/{business_id}/domains",
    {
      trips: { d1: 4, do: 0 },
      why: "the business may have the domain, the audit entry goes to its shard, the record to CORE, where another call may have been first",
    },
  ],
  [
    "POST /v1/businesses/{business_id}/domains/{domain_id}/verify",
    { trips: { d1: 3, do: 0 }, why: "DNS is read before the former business of the hostname" },
  ],
  [
    "DELETE /v1/businesses/{business_id}/domains/{domain_id}",
    { trips: { d1: 3, do: 0 }, why: twoDatabasesReason },
  ],
  [
    "DELETE /v1/businesses/{business_id}/payment-providers/{provider}",
    { trips: { d1: 3, do: 0 }, why: twoDatabasesReason },
  ],
  [
    "POST /v1/organizations/{organization_id}/keys",
    {
      trips: { d1: 3, do: 0 },
      why: "CORE finds the business whose log gets the audit entry, the entry goes to its shard, the key to CORE: no batch spans two databases",
    },
  ],
  [
    "DELETE /v1/organizations/{organization_id}/keys/{key_id}",
    { trips: { d1: 3, do: 0 }, why: twoDatabasesReason },
  ],
  ...["suspend", "resume", "close"].map(
    (verb) =>
      [
        `POST /v1/businesses/{business_id}/${verb}`,
        { trips: { d1: 3, do: 0 }, why: twoDatabasesReason },
      ] as const,
  ),
  [
    "GET /v1/operator/status",
    {
      trips: { d1: 14, do: 1 },
      why: "CORE is read six times, each shard four times and the metrics once, all at once",
    },
  ],
  [
    "POST /v1/operator/dead-letters/{dead_letter_id}/retry",
    { trips: { d1: 3, do: 0 }, why: retryReason },
  ],
  [
    "POST /v1/businesses/{business_id}/move",
    {
      trips: { d1: 55, do: 0 },
      why: "every table is copied, counted and compared in turn",
    },
  ],
  [
    "POST /v1/link/mobile-money/{id}/verify",
    {
      trips: { d1: 3, do: 0 },
      why: `${linkSessionReason}; the number is read, and the network's response is stored`,
    },
  ],
  [
    "POST /v1/link/enroll-and-link-order",
    {
      trips: { d1: 5, do: 0 },
      why: `${linkSessionReason}; the order is read in its shard, the intent is written to CORE, then the order, then CORE again: no batch spans two databases, and a job finishes what a crash leaves`,
    },
  ],
  [
    "POST /api/v1/auth/verify-otp",
    {
      trips: { d1: 2, do: 2 },
      why: "the session's object updates its support conversation before the login takes effect, so that the old cookie cannot read the customer's messages",
    },
  ],
  [
    "POST /api/v1/auth/logout",
    {
      trips: { d1: 0, do: 2 },
      why: "the session's object updates its support conversation before the logout takes effect",
    },
  ],
]);

/** The budget of an isolate that has cached the caller's key and the catalogue. */
export const warmBudgetFor = ({ id }: Operation): RoundTripBudget =>
  overBudget.get(id)?.trips ??
  budgetsByOperation.find(([rows]) => rows.test(id))?.[1] ??
  defaultBudget;

/**
 * The budget of an isolate without cached data, or after 5 s without requests: it looks up the key
 * in CORE and reads the catalogue or the business if the call needs them.
 */
export function coldBudgetFor(operation: Operation): RoundTripBudget {
  const warm = warmBudgetFor(operation);
  return { ...warm, d1: warm.d1 + (readsCatalogueWhenCold(operation) ? 2 : 1) };
}

const readsCatalogueWhenCold = ({ id }: Operation): boolean =>
  (catalogueRead.test(id) && !uncachedRead.test(id)) ||
  cartChange.test(id) ||
  deliveryRead.test(id) ||
  id === "POST /v1/link/enroll-and-link-order";

/**
 * Writes whose Idempotency-Key costs no round trip: the session's object stores the response, or a
 * repeat returns the same response by itself (`replay: "same"` in functions/http/contract.ts).
 */
export const keysWithoutCost: readonly string[] = [
  "POST /api/v1/cart/items",
  "PATCH /api/v1/cart/items/{cart_item_id}",
  "DELETE /api/v1/cart/items/{cart_item_id}",
  "DELETE /api/v1/cart",
  "POST /api/v1/cart/coupons",
  "DELETE /api/v1/cart/coupons/current",
  "DELETE /api/v1/cart/coupons/{coupon_code}",
  "PUT /api/v1/cart/delivery",
  "DELETE /api/v1/cart/delivery",
  "POST /api/v1/checkout",
  "POST /api/v1/orders/{order_id}/cancel",
  "POST /api/v1/orders/{order_id}/customer",
  "POST /api/v1/orders/{order_id}/reopen-cart",
  "POST /api/v1/uploads/init",
  "POST /api/v1/scheduling/bookings/{booking_id}/cancel",
  "POST /api/v1/scheduling/bookings/reschedule",
  "POST /api/v1/subscriptions/{subscription_id}/cancel",
  "POST /api/v1/subscriptions/{subscription_id}/skip",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/status",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/cancel",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule",
  "POST /v1/businesses/{business_id}/orders/bulk-status",
  "POST /v1/businesses/{business_id}/orders/{order_id}/status",
  "POST /v1/businesses/{business_id}/orders/{order_id}/cancel",
  "POST /v1/businesses/{business_id}/orders/{order_id}/payments/mark-paid",
  "POST /v1/businesses/{business_id}/orders/{order_id}/refunds/{refund_id}/mark-paid",
  "POST /v1/businesses/{business_id}/products/bulk-status",
];

/**
 * Writes whose Idempotency-Key costs one round trip: a second run does no harm but would respond
 * differently, so the response is stored before it is sent.
 */
export const keysForOneRoundTrip: readonly string[] = [
  "POST /api/v1/catalogue/quotes",
  "POST /api/v1/catalogue/quotes/{quote_id}/refresh",
  "POST /api/v1/orders/{order_id}/pay",
  "POST /api/v1/orders/{order_id}/verify-payment",
  "POST /api/v1/fx/quotes",
  "POST /v1/businesses/{business_id}/orders/{order_id}/refunds",
  "POST /v1/businesses/{business_id}/orders/{order_id}/payment-link",
];

/** Other writes claim the key in D1 before the call and store the response after it. */
export function keyCostFor({ id }: Operation): number {
  if (keysWithoutCost.includes(id)) return 0;
  return keysForOneRoundTrip.includes(id) ? 1 : 2;
}
