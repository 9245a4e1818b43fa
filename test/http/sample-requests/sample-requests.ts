import type { RecordIds } from "../create-customer-records.ts";
import { businessRequests } from "./business.ts";
import { linkRequests } from "./link.ts";
import { type IdFor, type SampleRequest, withoutFields } from "./sample-request.ts";
import { storefrontRequests } from "./storefront.ts";

const withPathPrefix = (
  prefix: string,
  rows: Readonly<Record<string, readonly SampleRequest[]>>,
): Record<string, readonly SampleRequest[]> =>
  Object.fromEntries(
    Object.entries(rows).map(([operation, of]) => [operation.replace(" ", ` ${prefix}`), of]),
  );

/** Requests by operation, with every record identifier that the operation accepts. */
export const sampleRequests: Readonly<Record<string, readonly SampleRequest[]>> = {
  ...withPathPrefix("/api/v1", storefrontRequests),
  ...withPathPrefix("/v1/link", linkRequests),
  ...withPathPrefix("/v1/businesses/{business_id}", businessRequests),
  "DELETE /v1/console/auth/passkeys/{passkey_id}": withoutFields,
};

/** Operations that accept no record identifier except the business in their path. */
export const operationsWithoutIds: readonly string[] = [
  "GET /api/v1/business",
  "GET /api/v1/shops/{shop}",
  "POST /api/v1/sessions",
  "GET /api/v1/auth/status",
  "POST /api/v1/auth/request-otp",
  "POST /api/v1/auth/verify-otp",
  "POST /api/v1/auth/logout",
  "POST /api/v1/auth/profile",
  "GET /api/v1/catalogue/categories",
  "GET /api/v1/catalogue/bundles",
  "GET /api/v1/catalogue/composites",
  "GET /api/v1/scheduling/services",
  "GET /api/v1/scheduling/bookings",
  "GET /api/v1/cart",
  "DELETE /api/v1/cart",
  "GET /api/v1/cart/items",
  "DELETE /api/v1/cart/coupons/current",
  "DELETE /api/v1/cart/delivery",
  "GET /api/v1/cart/count",
  "GET /api/v1/cart/total",
  "GET /api/v1/subscriptions",
  "POST /api/v1/support/conversation",
  "POST /api/v1/support/conversation/messages",
  "GET /api/v1/support/conversation/messages",
  "GET /api/v1/support/conversation/ws",
  "GET /v1/businesses/{business_id}/conversations",
  // A WebSocket: tested in test/storefront/support-sockets.test.ts.
  "GET /v1/businesses/{business_id}/conversations/{thread_id}/ws",
  // The operator's token gives access to every business.
  ...["move", "suspend", "resume", "close"].map(
    (verb) => `POST /v1/businesses/{business_id}/${verb}`,
  ),
  // It also gives access to every organization; test/business/organization-keys.test.ts tests
  // another organization's key.
  "GET /v1/organizations/{organization_id}/keys",
  "POST /v1/organizations/{organization_id}/keys",
  "DELETE /v1/organizations/{organization_id}/keys/{key_id}",
  "GET /v1/operator/status",
  "GET /v1/operator/metrics",
  "GET /v1/operator/dead-letters",
  "POST /v1/operator/dead-letters/retry",
  "POST /v1/operator/dead-letters/{dead_letter_id}/retry",
  "POST /v1/operator/books",
  // So does the decision who may make operator calls.
  "GET /v1/operator/operators",
  "POST /v1/operator/operators",
  "DELETE /v1/operator/operators/{user_id}",
  "GET /v1/operator/reconciliation/differences",
  "GET /api/v1/activity/state",
  "GET /api/v1/activity/recommendations",
  "POST /api/v1/activity/messages/dismiss",
  "GET /api/v1/delivery/options",
  "GET /api/v1/fx/rate",
  "POST /api/v1/fx/quotes",
  "POST /api/v1/places/autocomplete",
  "POST /api/v1/places/details",
  "POST /api/v1/uploads/init",
  // Paystack names a payment by the reference of its charge.
  "POST /api/v1/payments/providers/paystack/webhook",
  "POST /api/v1/payments/providers/{provider}/webhook/{business_id}",
  // A provider is the same for every business; the operator's token gives access to each.
  "GET /v1/businesses/{business_id}/payment-providers",
  "PUT /v1/businesses/{business_id}/payment-providers/{provider}",
  "DELETE /v1/businesses/{business_id}/payment-providers/{provider}",
  "POST /v1/businesses/{business_id}/payment-providers/{provider}/purge",
  "POST /v1/operator/credentials/rotate",
  "POST /api/v1/webhooks",
  "GET /api/v1/webhooks",
  "POST /v1/link/auth/request-otp",
  "POST /v1/link/auth/verify-otp",
  "POST /v1/link/auth/logout",
  "POST /v1/link/auth/refresh",
  "GET /v1/link/elements/account",
  "GET /v1/link/elements/auth",
  "POST /v1/link/elements/request-otp",
  "POST /v1/link/elements/verify-otp",
  "POST /v1/link/elements/refresh",
  "POST /v1/link/check-status",
  "POST /v1/link/enroll",
  "GET /v1/link/data",
  "GET /v1/link/preferences",
  "GET /v1/link/addresses",
  "POST /v1/link/addresses",
  "GET /v1/link/mobile-money",
  "POST /v1/link/mobile-money",
  "GET /v1/link/pending-details",
  "GET /v1/link/contacts",
  "GET /v1/link/platforms",
  "GET /v1/link/sessions",
  "DELETE /v1/link/sessions",
  "POST /v1/console/auth/request-otp",
  "POST /v1/console/auth/verify-otp",
  "POST /v1/console/auth/logout",
  "GET /v1/console/me",
  "DELETE /v1/console/me",
  "GET /v1/console/auth/passkeys",
  ...["register-options", "register", "login-options", "login"].map(
    (call) => `POST /v1/console/auth/passkeys/${call}`,
  ),
  "POST /v1/businesses",
  "GET /v1/businesses",
  "GET /v1/businesses/{business_id}",
  "PATCH /v1/businesses/{business_id}",
  ...[
    "GET /messages/settings",
    "PATCH /messages/settings",
    "GET /messages/templates",
    // Every business has templates of the same names.
    "GET /messages/templates/{template_name}",
    "PATCH /messages/templates/{template_name}",
    "POST /messages/templates/{template_name}/preview",
    "POST /messages/templates/{template_name}/send-test",
    "GET /members",
    "POST /members",
    "POST /agent-keys/rotate",
    "GET /domains",
    "POST /domains",
    "GET /keys",
    "POST /keys",
    "GET /locations",
    "POST /locations",
    "GET /categories",
    "GET /collections",
    "GET /attributes",
    "GET /billing-plans",
    "POST /billing-plans",
    "GET /tax/classes",
    "POST /tax/classes",
    "GET /tax/rates",
    "GET /bundles",
    "GET /composites",
    "GET /deals",
    "GET /delivery/zones",
    "GET /delivery/methods",
    "GET /services",
    "GET /staff",
    "POST /staff",
    "GET /resources",
    "POST /resources",
    "GET /subscriptions",
    "POST /customers",
    "GET /customer-groups",
    "GET /reports/sales",
    "GET /today",
    "POST /imports",
    "GET /exports/products",
    "GET /exports",
    "POST /exports",
    "POST /imports/business",
    "GET /customers/export",
    "POST /assets/init",
    "GET /assets",
  ].map((operation) => operation.replace(" ", " /v1/businesses/{business_id}")),
];

/** Fields that look like identifiers and name no record that somebody else could own. */
export const fieldsWithoutRecords: ReadonlyMap<string, string> = new Map([
  ["taxonomy_id", "a word of the merchant's own"],
  ["website_id", "a word of the storefront's own"],
  ["client_id", "a word of a message's sender, of one conversation"],
  ["socket_id", "a secret of the shopper's own open socket"],
  ["otp_code", "a one-time code, of the contact beside it"],
  ["postal_code", "a part of an address"],
  ["place_id", "the provider's own, and the same for everybody"],
  ["template_id", "a word of the merchant's own"],
  ["agent_id", "a word of the merchant's own"],
  ["organization_id", "the operator's, who serves every business"],
  ["id", "of a part; of a new record's, none is there yet"],
]);

/** Looks up record identifiers by kind. */
export const idLookup =
  (ids: RecordIds): IdFor =>
  (kind) =>
    ids[kind];
