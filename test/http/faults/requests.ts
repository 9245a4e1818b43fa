import { deepRequestsOf, type FuzzedRequest } from "../fuzz/requests.ts";
import { inOrder } from "../operation-order.ts";
import type { Operation } from "../operations.ts";

const reads = "nothing is written";

/** What is no write, or fails in tests of its own. */
export const unasked: ReadonlyMap<string, string> = new Map([
  ["POST /api/v1/catalogue/products/{product_id}/variants/find", reads],
  ["POST /api/v1/catalogue/composites/{composite_id}/calculate-price", reads],
  ["POST /api/v1/catalogue/deals/validate", reads],
  ["POST /api/v1/places/autocomplete", reads],
  ["POST /api/v1/places/details", reads],
  ["POST /v1/link/check-status", reads],
  ["POST /api/v1/payments/providers/paystack/webhook", "test/payments/paystack-faults.test.ts"],
  ["POST /v1/businesses/{business_id}/move", "test/moves/under-way.test.ts"],
]);

const subscription = "/api/v1/subscriptions/{subscription_id}";

/** What has to be asked before. */
export const prepared: ReadonlyMap<string, string> = new Map([
  ["POST /api/v1/auth/verify-otp", "POST /api/v1/auth/request-otp"],
  ["POST /v1/link/auth/verify-otp", "POST /v1/link/auth/request-otp"],
  ["POST /v1/link/elements/verify-otp", "POST /v1/link/elements/request-otp"],
  [`POST ${subscription}/resume`, `POST ${subscription}/pause`],
  [
    "POST /v1/businesses/{business_id}/bookings/{booking_id}/status",
    "POST /api/v1/payments/authorization", // pays for the booking, which confirms it
  ],
]);

/** Fields, for what the tables of identifiers name a record for that cannot do it any more. */
const own: Readonly<Record<string, readonly [path: string, body: object]>> = {
  "POST /v1/link/auth/refresh": ["/v1/link/auth/refresh", { refresh_token: "{{refresh_token}}" }],
  "POST /v1/link/elements/refresh": [
    "/v1/link/elements/refresh",
    { refresh_token: "{{refresh_token}}" },
  ],
  "POST /v1/businesses/{business_id}/orders/{order_id}/payments/mark-paid": [
    "/v1/businesses/{{business_id}}/orders/{{cash_order_id}}/payments/mark-paid",
    {},
  ],
  "POST /v1/businesses/{business_id}/orders/{order_id}/refunds": [
    "/v1/businesses/{{business_id}}/orders/{{paid_order_id}}/refunds",
    { amount: "1" },
  ],
  "POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule": [
    "/v1/businesses/{{business_id}}/bookings/{{booking_id}}/reschedule",
    { new_start_time: "{{slot_start}}", new_end_time: "{{slot_end}}" },
  ],
  "POST /api/v1/orders/{order_id}/customer": [
    "/api/v1/orders/{{cash_order_id}}/customer?token={{cash_token}}",
    { customer_id: "{{customer_id}}" },
  ],
};

/** Requests of which one succeeds in the world of these tests. */
export function requestsFor(operation: Operation): readonly FuzzedRequest[] {
  const given = own[operation.id];
  return given === undefined ? deepRequestsOf(operation) : [requestOf(...given)];
}

const requestOf = (path: string, body: object): FuzzedRequest => ({
  path,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  isGuests: false,
});

/** What lives for minutes, and what for an hour: the clock goes on with every request. */
const shortLived: readonly RegExp[] = [
  /\/quotes|^POST .*\/cart\/items$|\/verify-otp$/,
  /^[A-Z]+ \/v1\/link\//,
];

/** The operations, first those that are asked about what grows old. */
export const inOrderOfTime = (operations: readonly Operation[]): readonly Operation[] => {
  const rankOf = ({ id }: Operation) => {
    const rank = shortLived.findIndex((one) => one.test(id));
    return rank < 0 ? shortLived.length : rank;
  };
  return inOrder(operations).toSorted((one, other) => rankOf(one) - rankOf(other));
};
