import { deliveredBy, sampleSecretKey } from "../create-business-records.ts";
import { type SampleRequest, withBody, withoutFields } from "./sample-request.ts";

const withPublishableKey = (query: Record<string, string>): readonly SampleRequest[] => [
  { query: () => ({ public_key: "{{publishable_key}}", ...query }) },
];
const contact = { contact: "+233241000009" };
const login = { contact: "yaw@example.com" };
const frameContact = { contact: "+233241000008" };
const address = { label: "Home", street_address: "12 Ring Road", city: "Accra" };
const file = { filename: "tea.png", content_type: "image/png", size_bytes: 3 };
const inBusiness = (rows: Readonly<Record<string, readonly SampleRequest[]>>) =>
  Object.fromEntries(
    Object.entries(rows).map(([id, of]) => [id.replace(" ", " /v1/businesses/{business_id}"), of]),
  );

/**
 * Requests to operations that have no record identifiers, and requests that get further than those
 * with identifiers.
 */
export const requestsWithoutForeignIds: Readonly<Record<string, readonly SampleRequest[]>> = {
  "POST /api/v1/auth/request-otp": withBody(contact),
  "POST /api/v1/auth/verify-otp": withBody({ ...contact, otp_code: "123456" }),
  "POST /api/v1/auth/profile": withBody({ name: "Ama" }),
  "POST /api/v1/support/conversation/messages": withBody({ content: "Hi", client_id: "message-1" }),
  "GET /api/v1/support/conversation/ws": withPublishableKey({}),
  "POST /api/v1/activity/messages/dismiss": withBody({ code: "free_delivery_threshold" }),
  "GET /api/v1/delivery/options": [
    { query: () => ({ country: "GH", region: "Accra", postal_code: "GA1 2" }) },
  ],
  "GET /api/v1/fx/rate": [{ query: () => ({ from: "GHS", to: "USD" }) }],
  "POST /api/v1/fx/quotes": withBody({ from: "GHS", to: "USD", amount: "9.50" }),
  "POST /api/v1/places/autocomplete": withBody({ input: "Accra" }),
  "POST /api/v1/places/details": withBody({ place_id: "demo-accra-oxford-street" }),
  "POST /api/v1/uploads/init": withBody(file),
  "POST /api/v1/webhooks": withBody({
    url: "https://receiver.example.com/orders",
    events: ["order.created"],
  }),
  "POST /v1/link/auth/request-otp": withBody(contact),
  "POST /v1/link/auth/verify-otp": withBody({ ...contact, otp_code: "123456" }),
  "GET /v1/link/elements/auth": withPublishableKey({ origin: "https://shop.example" }),
  "GET /v1/link/elements/account": withPublishableKey({ origin: "https://shop.example" }),
  "POST /v1/link/elements/request-otp": withBody(frameContact),
  "POST /v1/link/elements/verify-otp": withBody({ ...frameContact, otp_code: "123456" }),
  "POST /v1/link/check-status": withBody(contact),
  "POST /v1/link/enroll": withBody({ ...contact, name: "Ama" }),
  "POST /v1/link/addresses": withBody(address),
  "POST /v1/link/mobile-money": withBody({ phone_number: "0241234560", provider: "mtn" }),
  "POST /api/v1/scheduling/bookings/reschedule": [
    {
      body: (id) => ({
        order_id: id("order_id"),
        line_item_id: id("line_item_id"),
        new_start_time: "{{slot_start}}",
        new_end_time: "{{slot_end}}",
      }),
    },
  ],
  "POST /api/v1/checkout": [
    {
      body: (id) => ({
        cart_id: id("cart_id"),
        customer: { email: "ama@example.com" },
        ...deliveredBy(id("method_id")),
        payment_method: "cash",
      }),
    },
  ],
  "POST /v1/businesses": withBody({
    name: "Accra Teas",
    mode: "test",
    currency: "GHS",
    default_country: "GH",
    timezone: "Africa/Accra",
  }),
  "POST /v1/operator/credentials/rotate": withBody({}),
  "POST /v1/operator/dead-letters/retry": [{}],
  "POST /v1/operator/dead-letters/{dead_letter_id}/retry": [
    { path: { dead_letter_id: "dead_letter_id" } },
  ],
  "POST /v1/operator/books": [{ body: (id) => ({ business_id: id("business_id") }) }],
  "PATCH /v1/businesses/{business_id}": withBody({ name: "Accra Teas" }),
  "POST /v1/businesses/{business_id}/move": withBody({ shard: "SHOP_2" }),
  "POST /v1/organizations/{organization_id}/keys": withBody({ kind: "secret", scopes: ["*"] }),
  "DELETE /v1/organizations/{organization_id}/keys/{key_id}": [
    { path: { key_id: "organization_key_id" } },
  ],
  "POST /v1/operator/operators": withBody({ email: "kwame@example.com" }),
  "DELETE /v1/operator/operators/{user_id}": [{ path: { user_id: "user_id" } }],
  "POST /v1/console/auth/request-otp": withBody(login),
  "POST /v1/console/auth/verify-otp": withBody({ ...login, otp_code: "123456" }),
  "POST /v1/console/auth/passkeys/register": withBody({
    response: "{{passkey_registration}}",
    name: "Laptop",
  }),
  "POST /v1/console/auth/passkeys/login": withBody({ response: "{{passkey_login}}" }),
  ...inBusiness({
    "POST /members": withBody({ email: "esi@example.com", name: "Esi", role: "orders" }),
    "PATCH /messages/settings": withBody({ locale: "en-GH", reminder_hours: 12 }),
    "PATCH /messages/templates/{template_name}": withBody({ subject: "Order {{order_number}}" }),
    "POST /messages/templates/{template_name}/preview": withBody({ body: "{{customer_name}}" }),
    "POST /messages/templates/{template_name}/send-test": withBody({ to: "ama@example.com" }),
    "PUT /payment-providers/{provider}": withBody({ secret_key: sampleSecretKey }),
    "POST /agent-keys/rotate": withBody({ withdraw_earlier: false }),
    "POST /domains": withBody({ hostname: "shop.example.com" }),
    "POST /keys": withBody({ kind: "secret", scopes: ["*"], label: "Website" }),
    "POST /locations": withBody({ name: "Kumasi", timezone: "Africa/Accra" }),
    "POST /billing-plans": withBody({ name: "Weekly", interval: "week", price: "3" }),
    "POST /bookings": [
      {
        body: (id) => ({
          service_id: id("service_product_id"),
          start_time: "{{slot_start}}",
          customer: { name: "Efua", phone: "0241234567" },
        }),
      },
    ],
    "POST /orders/{order_id}/status": withBody({ status: "preparing" }),
    "POST /orders/{order_id}/refunds": withBody({}),
    "POST /tax/classes": withBody({ code: "fuzzed", name: "Fuzzed" }),
    "POST /staff": withBody({ name: "Kofi" }),
    "POST /customers": withBody({ name: "Ama", tags: ["vip"] }),
    "POST /resources": withBody({ name: "Table", capacity: 2 }),
    "POST /assets/init": withBody({ folder: "banners", ...file }),
    "GET /reports/sales": [
      { query: () => ({ from: "2026-01-01", to: "2026-01-31", interval: "week" }) },
    ],
    "POST /imports": withoutFields,
    "POST /exports": withoutFields,
    "POST /imports/business": withoutFields,
  }),
};
