import {
  attributeReferences,
  bundleParts,
  bundleReferences,
  collectionReferences,
  compositeParts,
  compositeReferences,
  dealReferences,
  oneGroup,
  productParts,
  productReferences,
  refusedFor,
  serviceReferences,
  withRequiredFields,
} from "./record-references.ts";
import { type SampleRequest, withBody, withoutFields } from "./sample-request.ts";

/** Requests to create, read, update and archive one kind of record. */
const recordRequests = (
  record: string,
  parameter: string,
  {
    needed,
    change = { name: "New name" },
    pointers = [],
    parts = [],
  }: {
    needed: object;
    change?: object;
    pointers?: readonly SampleRequest[];
    parts?: readonly SampleRequest[];
  },
): Record<string, readonly SampleRequest[]> => ({
  ...(pointers.length > 0 && { [`POST /${record}`]: withRequiredFields(needed, pointers) }),
  [`GET /${record}/{${parameter}}`]: withoutFields,
  [`PATCH /${record}/{${parameter}}`]: [...withBody(change), ...pointers, ...parts],
  [`DELETE /${record}/{${parameter}}`]: withoutFields,
});

/** Requests to read, update and remove one part of a product. */
const partRequests = (part: string, change: object, path: SampleRequest["path"] = {}) => ({
  [`GET /products/{product_id}/${part}`]: [{ path }],
  [`PATCH /products/{product_id}/${part}`]: [{ path, body: () => change }],
  [`DELETE /products/{product_id}/${part}`]: [{ path }],
});

const stockLevelPaths: readonly SampleRequest[] = [
  { path: { product_or_variant_id: "cup_id", location_id: "spare_location_id" } },
  { path: { product_or_variant_id: "variant_id", location_id: "spare_location_id" } },
];
const stockLevelRequests = (body: object): readonly SampleRequest[] =>
  stockLevelPaths.map((row) => ({ ...row, body: () => body }));

const newProduct = { name: "Ginger tea", default_price: "12" };

/** Requests of the business API, by operation without the business's path. */
export const businessRequests: Readonly<Record<string, readonly SampleRequest[]>> = {
  "GET /members/{member_id}": withoutFields,
  "PATCH /members/{member_id}": withBody({ role: "manager" }),
  "DELETE /members/{member_id}": withoutFields,
  "GET /messages": [
    { query: (id) => ({ order_id: id("order_id") }), outcomes: { order_id: "nothing" } },
  ],
  "POST /messages/{message_id}/retry": withoutFields,
  "POST /domains/{domain_id}/verify": withoutFields,
  "DELETE /domains/{domain_id}": withoutFields,
  "GET /keys/{key_id}": withoutFields,
  "GET /exports/{export_id}": withoutFields,
  "GET /exports/{export_id}/file": withoutFields,
  "GET /imports/business/{import_id}": withoutFields,
  "DELETE /keys/{key_id}": withoutFields,
  "GET /locations/{location_id}": [{ path: { location_id: "spare_location_id" } }],
  "PATCH /locations/{location_id}": [
    { path: { location_id: "spare_location_id" }, body: () => ({ name: "Osu" }) },
  ],
  "DELETE /locations/{location_id}": [{ path: { location_id: "spare_location_id" } }],
  "GET /audit": [
    { query: (id) => ({ entity: id("product_id") }), outcomes: { product_id: "nothing" } },
    { query: (id) => ({ actor: id("key_id") }), outcomes: { key_id: "nothing" } },
  ],
  "GET /products": [
    { query: (id) => ({ category_id: id("category_id") }), outcomes: { category_id: "nothing" } },
    { query: (id) => ({ ids: id("product_id") }), outcomes: { product_id: "nothing" } },
  ],
  "POST /products/bulk-status": [
    {
      body: (id) => ({ product_ids: [id("product_id")], status: "inactive" }),
      outcomes: { product_id: "taken" }, // its result says NOT_FOUND
    },
  ],
  ...recordRequests("products", "product_id", {
    needed: newProduct,
    pointers: productReferences,
    parts: productParts,
  }),
  ...partRequests("variants/{variant_id}", { name: "Pot" }, { variant_id: "spare_variant_id" }),
  ...partRequests("add-ons/{add_on_group_id}/options/{add_on_option_id}", { name: "Oat milk" }),
  ...partRequests("images/{image_id}", { url: "/cdn/ginger-tea.png" }),
  "POST /products/{product_id}/images": withoutFields,
  ...recordRequests("categories", "category_id", {
    needed: { name: "Cold drinks" },
    pointers: [
      {
        body: (id) => ({ parent_id: id("child_category_id") }),
        outcomes: refusedFor(["child_category_id"]),
      },
    ],
  }),
  ...recordRequests("collections", "collection_id", {
    needed: { name: "Gifts" },
    pointers: collectionReferences,
  }),
  ...recordRequests("attributes", "attribute_id", {
    needed: { key: "origin", label: "Origin", type: "text" },
    change: { label: "Color" },
    pointers: attributeReferences,
  }),
  ...recordRequests("billing-plans", "billing_plan_id", { needed: {} }),
  ...recordRequests("tax/classes", "tax_class_code", { needed: {} }),
  // A class that no rate has.
  "DELETE /tax/classes/{tax_class_code}": [{ path: { tax_class_code: "spare_tax_class_code" } }],
  ...recordRequests("tax/rates", "tax_rate_id", {
    needed: { name: "Mine", country: "GH", rate_percent: "1" },
    pointers: [
      {
        body: (id) => ({ tax_class: id("tax_class_code") }),
        outcomes: refusedFor(["tax_class_code"]),
      },
    ],
  }),
  ...recordRequests("bundles", "bundle_id", {
    needed: newProduct,
    pointers: bundleReferences,
    parts: bundleParts,
  }),
  ...recordRequests("composites", "composite_id", {
    needed: { name: "Salad", base_price: "25", groups: oneGroup },
    pointers: [...productReferences, ...compositeReferences],
    parts: compositeParts,
  }),
  ...recordRequests("deals", "deal_id", {
    needed: { name: "Weekend", discount_type: "percentage", value: "5" },
    pointers: dealReferences,
  }),
  ...recordRequests("delivery/zones", "zone_id", {
    needed: { name: "Mine", areas: [{ country: "NG" }], is_active: false },
    pointers: [
      {
        body: (id) => ({ location_ids: [id("spare_location_id")] }),
        outcomes: refusedFor(["spare_location_id"]),
      },
    ],
  }),
  ...recordRequests("delivery/methods", "method_id", {
    needed: { name: "Mine", price: { type: "flat", amount: "1" } },
    pointers: [{ body: (id) => ({ zone_id: id("zone_id") }), outcomes: refusedFor(["zone_id"]) }],
  }),
  ...recordRequests("services", "service_id", {
    needed: { ...newProduct, duration_minutes: 30 },
    pointers: [...productReferences, ...serviceReferences],
  }),
  "GET /services/{service_id}/slots": [
    {
      query: (id) => ({
        date: "2030-01-07",
        variant_id: id("service_variant_id"),
        staff_id: id("staff_id"),
        location_id: id("location_id"),
      }),
    },
  ],
  ...recordRequests("staff", "staff_id", { needed: {} }),
  ...recordRequests("resources", "resource_id", { needed: {} }),
  "PUT /inventory/{product_or_variant_id}/locations/{location_id}": stockLevelRequests({
    quantity_on_hand: 1,
  }),
  "POST /inventory/{product_or_variant_id}/locations/{location_id}/adjustments": stockLevelRequests(
    {
      delta: 1,
      reason: "found",
    },
  ),
  "GET /inventory/{product_or_variant_id}/locations/{location_id}/movements": stockLevelPaths,
  "GET /inventory": [
    {
      query: (id) => ({ location_id: id("location_id") }),
      outcomes: { location_id: "nothing" },
    },
    { query: (id) => ({ product_id: id("cup_id") }), outcomes: { cup_id: "nothing" } },
  ],
  "GET /reports/tax": [
    {
      query: (id) => ({ location_id: id("location_id"), from: "2026-01-01", to: "2026-12-31" }),
      outcomes: { location_id: "taken" },
    },
  ],
  "GET /reports/customers": [
    {
      query: (id) => ({ location_id: id("location_id"), from: "2026-01-01", to: "2026-12-31" }),
      outcomes: { location_id: "nothing" },
    },
  ],
  "GET /reports/stock": [
    { query: (id) => ({ location_id: id("location_id") }), outcomes: { location_id: "nothing" } },
    { query: (id) => ({ product_id: id("cup_id") }), outcomes: { cup_id: "nothing" } },
  ],
  "GET /orders": [
    { query: (id) => ({ customer: id("customer_id") }), outcomes: { customer_id: "nothing" } },
    { query: (id) => ({ search: id("order_id") }), outcomes: { order_id: "nothing" } },
    { query: (id) => ({ location_id: id("location_id") }), outcomes: { location_id: "nothing" } },
    { query: (id) => ({ product_id: id("product_id") }), outcomes: { product_id: "nothing" } },
  ],
  "GET /orders/export": [
    {
      query: (id) => ({
        customer: id("customer_id"),
        location_id: id("location_id"),
        product_id: id("product_id"),
      }),
      outcomes: { customer_id: "nothing", location_id: "nothing", product_id: "nothing" },
    },
  ],
  "GET /orders/{order_id}": withoutFields,
  "PATCH /orders/{order_id}": withBody({ tags: ["gift"] }),
  "GET /orders/{order_id}/notes": withoutFields,
  "POST /orders/{order_id}/notes": withBody({ text: "Wrapped" }),
  "POST /orders/{order_id}/status": withBody({ status: "confirmed" }),
  "POST /orders/bulk-status": [
    {
      body: (id) => ({ order_ids: [id("order_id")], status: "ready" }),
      outcomes: { order_id: "taken" }, // its result says NOT_FOUND
    },
  ],
  "POST /orders/{order_id}/cancel": withBody({}),
  "POST /orders/{order_id}/refunds": withBody({ amount: "1" }),
  "POST /orders/{order_id}/refunds/{refund_id}/mark-paid": [
    { path: { order_id: "refunded_order_id" } },
  ],
  "GET /orders/{order_id}/shipments": [{ path: { order_id: "shipped_order_id" } }],
  "POST /orders/{order_id}/shipments": [
    {
      path: { order_id: "shipped_order_id" },
      body: (id) => ({
        items: [{ order_item_id: id("shipped_item_id"), quantity: 1 }],
        location_id: id("location_id"),
      }),
      outcomes: refusedFor(["shipped_item_id", "location_id"]),
    },
  ],
  "PATCH /orders/{order_id}/shipments/{shipment_id}": [
    { path: { order_id: "shipped_order_id" }, body: () => ({ tracking_number: "JD01" }) },
  ],
  "POST /orders/{order_id}/payment-link": withoutFields,
  "POST /orders/{order_id}/payments/mark-paid": withBody({}),
  "GET /bookings": [
    { query: (id) => ({ service_id: id("service_id") }), outcomes: { service_id: "nothing" } },
  ],
  "POST /bookings": [
    {
      body: (id) => ({
        service_id: id("service_id"),
        variant_id: id("service_variant_id"),
        staff_id: id("staff_id"),
        location_id: id("location_id"),
        add_on_options: [id("service_option_id")],
        start_time: "2030-01-07T09:00:00Z",
        customer: { name: "Efua" },
      }),
    },
  ],
  "POST /bookings/{booking_id}/status": withBody({ status: "completed" }),
  "POST /bookings/{booking_id}/cancel": withBody({}),
  "POST /bookings/{booking_id}/reschedule": [
    {
      body: (id) => ({
        new_staff_id: id("staff_id"),
        new_start_time: "2030-01-07T09:00:00Z",
        new_end_time: "2030-01-07T10:30:00Z",
      }),
    },
  ],
  "GET /subscriptions/{subscription_id}": withoutFields,
  "POST /subscriptions/{subscription_id}/cancel": withBody({ at_period_end: false }),
  "GET /conversations/{thread_id}": withoutFields,
  "POST /conversations/{thread_id}/messages": withBody({ content: "Hello" }),
  "POST /conversations/{thread_id}/read": withBody({ until: "2030-01-01T00:00:00.000Z" }),
  "POST /conversations/{thread_id}/close": withoutFields,
  "POST /conversations/{thread_id}/ticket": withoutFields,
  "GET /customers": [
    { query: (id) => ({ search: id("customer_id") }), outcomes: { customer_id: "nothing" } },
  ],
  "POST /assets/confirm": [{ body: (id) => ({ upload_id: id("asset_id") }) }],
  "GET /assets/{upload_id}": [{ path: { upload_id: "asset_id" } }],
  "DELETE /assets/{upload_id}": [
    { path: { upload_id: "asset_id" }, outcomes: { asset_id: 204 } }, // also for an unknown identifier
  ],
  ...recordRequests("customer-groups", "customer_group_id", {
    needed: { name: "Mine" },
    pointers: [{ body: (id) => ({ customer_ids: [id("customer_id")] }) }],
    parts: [
      { body: (id) => ({ add_customer_ids: [id("customer_id")] }) },
      {
        body: (id) => ({ remove_customer_ids: [id("customer_id")] }),
        outcomes: { customer_id: "taken" }, // who is not in the group is no error
      },
    ],
  }),
  "GET /customers/{customer_id}": withoutFields,
  "PATCH /customers/{customer_id}": withBody({ name: "Ama Mensah", tags: ["vip"] }),
  "GET /customers/{customer_id}/notes": withoutFields,
  "POST /customers/{customer_id}/notes": withBody({ text: "Prefers the morning" }),
  "GET /customers/{customer_id}/data": withoutFields,
  "DELETE /customers/{customer_id}/data": withoutFields,
};
