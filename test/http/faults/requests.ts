import { type FuzzedRequest, sampleFuzzRequests } from "../fuzz/requests.ts";
import { inRunnableOrder } from "../operation-order.ts";
import type { Operation } from "../operations.ts";

const readOnly = "writes nothing";

/** Operations that do not write, or have fault tests of their own. */
export const skippedOperations: ReadonlyMap<string, string> = new Map([
  ["POST /api/v1/catalogue/products/{product_id}/variants/find", readOnly],
  ["POST /api/v1/catalogue/composites/{composite_id}/calculate-price", readOnly],
  ["POST /api/v1/catalogue/deals/validate", readOnly],
  ["POST /api/v1/places/autocomplete", readOnly],
  ["POST /api/v1/places/details", readOnly],
  ["POST /v1/link/check-status", readOnly],
  ["POST /api/v1/payments/providers/paystack/webhook", "test/payments/paystack-faults.test.ts"],
  [
    "POST /api/v1/payments/providers/{provider}/webhook/{business_id}",
    "test/storefront/provider-webhook.test.ts",
  ],
  ["POST /v1/businesses/{business_id}/move", "test/moves/concurrent-moves.test.ts"],
  ["POST /v1/businesses/{business_id}/imports/business", "test/portability/imports.test.ts"],
  ["POST /v1/link/contacts", "test/link/contacts.test.ts"],
  // A challenge is answered once: a browser whose response was lost asks for new options.
  ["POST /v1/console/auth/passkeys/register", "test/members/passkeys.test.ts"],
  ["POST /v1/console/auth/passkeys/login", "test/members/passkeys.test.ts"],
]);

const subscription = "/api/v1/subscriptions/{subscription_id}";
const paymentProvider = "/v1/businesses/{business_id}/payment-providers/{provider}";

/** The operation that must run first. */
export const preparingOperations: ReadonlyMap<string, string> = new Map([
  ["DELETE /api/v1/cart/coupons/{coupon_code}", "POST /api/v1/cart/coupons"],
  ["DELETE /api/v1/cart/delivery", "PUT /api/v1/cart/delivery"],
  ["POST /api/v1/auth/verify-otp", "POST /api/v1/auth/request-otp"],
  ["POST /v1/console/auth/verify-otp", "POST /v1/console/auth/request-otp"],
  ["POST /v1/link/auth/verify-otp", "POST /v1/link/auth/request-otp"],
  ["POST /v1/link/elements/verify-otp", "POST /v1/link/elements/request-otp"],
  ["POST /v1/businesses/{business_id}/resume", "POST /v1/businesses/{business_id}/suspend"],
  [`POST ${subscription}/resume`, `POST ${subscription}/pause`],
  [`DELETE ${paymentProvider}`, `PUT ${paymentProvider}`],
  [`POST ${paymentProvider}/purge`, `DELETE ${paymentProvider}`],
  [
    "POST /v1/businesses/{business_id}/bookings/{booking_id}/status",
    "POST /api/v1/payments/authorization", // pays for the booking and so confirms it
  ],
]);

/** Requests for operations whose sample requests name a record that no longer allows them. */
const requestOverrides: Readonly<Record<string, readonly [path: string, body: object]>> = {
  "POST /v1/link/auth/refresh": ["/v1/link/auth/refresh", { refresh_token: "{{refresh_token}}" }],
  "POST /v1/link/elements/refresh": [
    "/v1/link/elements/refresh",
    { refresh_token: "{{refresh_token}}" },
  ],
  "POST /v1/businesses/{business_id}/orders/{order_id}/payments/mark-paid": [
    "/v1/businesses/{{business_id}}/orders/{{cash_order_id}}/payments/mark-paid",
    {},
  ],
  "POST /v1/businesses/{business_id}/orders/{order_id}/payment-link": [
    "/v1/businesses/{{business_id}}/orders/{{cash_order_id}}/payment-link",
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
  "POST /api/v1/orders/{order_id}/reopen-cart": [
    "/api/v1/orders/{{cash_order_id}}/reopen-cart?token={{cash_token}}",
    {},
  ],
  "POST /api/v1/orders/{order_id}/customer": [
    "/api/v1/orders/{{cash_order_id}}/customer?token={{cash_token}}",
    { customer_id: "{{customer_id}}" },
  ],
};

/** The requests of an operation; one of them succeeds. */
export function requestsFor(operation: Operation): readonly FuzzedRequest[] {
  const given = requestOverrides[operation.id];
  return given === undefined ? sampleFuzzRequests(operation) : [requestOf(...given)];
}

const requestOf = (path: string, body: object): FuzzedRequest => ({
  path,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  isGuest: false,
});

/**
 * Operations on records that expire after minutes, then after an hour: the clock advances with
 * every request.
 */
const shortLived: readonly RegExp[] = [
  /\/quotes|^POST .*\/cart\/items$|\/verify-otp$/,
  /^[A-Z]+ \/v1\/link\//,
];

/** The operations, first those whose records expire soon. */
export const shortLivedFirst = (operations: readonly Operation[]): readonly Operation[] => {
  const rankOf = ({ id }: Operation) => {
    const rank = shortLived.findIndex((one) => one.test(id));
    return rank < 0 ? shortLived.length : rank;
  };
  return inRunnableOrder(operations).toSorted((one, other) => rankOf(one) - rankOf(other));
};
