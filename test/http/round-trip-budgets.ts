import type { Operation } from "./operations.ts";

/** What an answer's Server-Timing reports of D1 and of Durable Objects. */
export type Trips = Readonly<{ d1: number; do: number }>;

/** architecture.md, Speed: "anything else". */
const anythingElse: Trips = { d1: 2, do: 1 };

/** What stock, uses, quotes or the hour decide, and so is read anew. */
const readAnew =
  /^GET \/api\/v1\/(?:inventory|catalogue\/(?:quotes|products\/\{product_id\}\/available-now|(?:categories|collections)\/\{\w+\}\/deals))\b/;
const catalogueRead = /^GET \/api\/v1\/(?:catalogue|business)\b/;
const cartChange = /^(?:POST|PATCH) \/api\/v1\/cart\/(?:items|coupons)/;

/** The other rows of that table, for an isolate that knows the caller's key and the catalogue. */
const narrower: readonly (readonly [RegExp, Trips])[] = [
  [readAnew, { d1: 1, do: 0 }],
  [catalogueRead, { d1: 0, do: 0 }],
  [/^GET \/api\/v1\/cart\b/, { d1: 0, do: 1 }],
  [cartChange, { d1: 1, do: 1 }], // of a thing whose stock is tracked
  [/^POST \/api\/v1\/checkout$/, { d1: 3, do: 1 }],
  [/^GET \/api\/v1\/orders/, { d1: 1, do: 1 }],
  [/^GET \/api\/v1\/scheduling\/(?:slots|availability)/, { d1: 2, do: 0 }],
];

const twoDatabases =
  "the record is read in CORE, the audit entry goes to the business's shard, the change to CORE: no batch spans two databases";
const sessionFirst =
  "Link's session is asked for anew at every call, so that a revoked one is over at once";

/**
 * Calls that are over the budget when all goes well, with exactly what they take, and why it cannot
 * safely be less.
 */
export const overBudget: ReadonlyMap<string, Readonly<{ trips: Trips; why: string }>> = new Map([
  [
    "POST /api/v1/orders/{order_id}/cancel",
    {
      trips: { d1: 3, do: 1 },
      why: "of money that was taken: the order is read, then ended with the refund's claim for good, and only then is the provider asked, whose word is stored",
    },
  ],
  [
    "POST /v1/businesses/{business_id}/orders/{order_id}/refunds",
    {
      trips: { d1: 3, do: 0 },
      why: "the order is read, the claim is written before the provider is asked, so that no crash sends it twice, and its word is stored",
    },
  ],
  [
    "POST /v1/businesses/{business_id}/imports",
    {
      trips: { d1: 4, do: 0 },
      why: "that it began is stored before anything of it, how it ended after all of it, and each piece of the file is compared with what stands before it is written",
    },
  ],
  [
    "POST /v1/businesses",
    {
      trips: { d1: 3, do: 0 },
      why: "CORE says which shard holds the fewest, the audit entry goes to that shard, the business to CORE: no batch spans two databases",
    },
  ],
  ["PATCH /v1/businesses/{business_id}", { trips: { d1: 3, do: 0 }, why: twoDatabases }],
  [
    "PATCH /v1/businesses/{business_id}/locations/{location_id}",
    { trips: { d1: 3, do: 0 }, why: twoDatabases },
  ],
  [
    "DELETE /v1/businesses/{business_id}/locations/{location_id}",
    { trips: { d1: 3, do: 0 }, why: twoDatabases },
  ],
  [
    "DELETE /v1/businesses/{business_id}/keys/{key_id}",
    { trips: { d1: 3, do: 0 }, why: twoDatabases },
  ],
  [
    "POST /v1/organizations/{organization_id}/keys",
    {
      trips: { d1: 3, do: 0 },
      why: "CORE says in whose log the audit entry goes, the entry goes to that business's shard, the key to CORE: no batch spans two databases",
    },
  ],
  [
    "DELETE /v1/organizations/{organization_id}/keys/{key_id}",
    { trips: { d1: 3, do: 0 }, why: twoDatabases },
  ],
  [
    "POST /v1/businesses/{business_id}/move",
    {
      trips: { d1: 54, do: 0 },
      why: "the operator's: every table is copied, counted and compared, one after the other",
    },
  ],
  [
    "POST /v1/link/mobile-money/{id}/verify",
    {
      trips: { d1: 3, do: 0 },
      why: `${sessionFirst}; the number is read, and what the network says of it is stored`,
    },
  ],
  [
    "POST /v1/link/auth/verify-otp",
    {
      trips: { d1: 3, do: 0 },
      why: "who is logged in already is asked first, and the code is spent, or one of its tries, before a session begins",
    },
  ],
  [
    "POST /v1/link/enroll-and-link-order",
    {
      trips: { d1: 5, do: 0 },
      why: `${sessionFirst}; the order is read in its shard, what is to come is written to CORE, then the order, then CORE again: no batch spans two databases, and whatever a crash leaves is finished`,
    },
  ],
  [
    "POST /api/v1/auth/verify-otp",
    {
      trips: { d1: 2, do: 2 },
      why: "the session's object tells its support conversation, and only then the login counts, so that the old cookie reads nothing of the customer's there",
    },
  ],
  [
    "POST /api/v1/auth/logout",
    {
      trips: { d1: 0, do: 2 },
      why: "the session's object tells its support conversation, and only then the login is over, as above",
    },
  ],
]);

/** What a call may take where the isolate knows its caller's key and the catalogue. */
export const warmBudgetOf = ({ id }: Operation): Trips =>
  overBudget.get(id)?.trips ?? narrower.find(([rows]) => rows.test(id))?.[1] ?? anythingElse;

/**
 * As `warmBudgetOf`, where the isolate has just begun, or was silent for 5 s: the caller's key is looked
 * up in CORE, and what the call needs of the catalogue, or of a business that no key of it names, is read.
 */
export function coldBudgetOf(operation: Operation): Trips {
  const warm = warmBudgetOf(operation);
  return { ...warm, d1: warm.d1 + (readsMore(operation) ? 2 : 1) };
}

const readsMore = ({ id }: Operation): boolean =>
  (catalogueRead.test(id) && !readAnew.test(id)) ||
  cartChange.test(id) ||
  id === "POST /v1/link/enroll-and-link-order";

/**
 * Writes whose Idempotency-Key costs nothing: the session's object keeps their answers, or they know
 * their repeats by themselves and answer them alike (`knowsRepeats` in functions/http/contract.ts).
 */
export const keyedForNothing: readonly string[] = [
  "POST /api/v1/cart/items",
  "PATCH /api/v1/cart/items/{cart_item_id}",
  "DELETE /api/v1/cart/items/{cart_item_id}",
  "DELETE /api/v1/cart",
  "POST /api/v1/cart/coupons",
  "DELETE /api/v1/cart/coupons/current",
  "POST /api/v1/checkout",
  "POST /api/v1/orders/{order_id}/cancel",
  "POST /api/v1/orders/{order_id}/customer",
  "POST /api/v1/uploads/init",
  "POST /api/v1/scheduling/bookings/{booking_id}/cancel",
  "POST /api/v1/scheduling/bookings/reschedule",
  "POST /api/v1/subscriptions/{subscription_id}/cancel",
  "POST /api/v1/subscriptions/{subscription_id}/skip",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/status",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/cancel",
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule",
  "POST /v1/businesses/{business_id}/orders/{order_id}/status",
  "POST /v1/businesses/{business_id}/orders/{order_id}/cancel",
  "POST /v1/businesses/{business_id}/orders/{order_id}/payments/mark-paid",
];

/**
 * Writes whose Idempotency-Key costs a round trip: they do no harm when they are run again, but would
 * answer otherwise, so that the answer is kept before it is sent.
 */
export const keyedForOne: readonly string[] = [
  "POST /api/v1/catalogue/quotes",
  "POST /api/v1/catalogue/quotes/{quote_id}/refresh",
  "POST /api/v1/orders/{order_id}/verify-payment",
  "POST /api/v1/fx/quotes",
  "POST /v1/businesses/{business_id}/orders/{order_id}/refunds",
];

/** Elsewhere in D1 the key is claimed before the call, and the answer kept after it. */
export function keyCostsOf({ id }: Operation): number {
  if (keyedForNothing.includes(id)) return 0;
  return keyedForOne.includes(id) ? 1 : 2;
}
