import {
  attributePointers,
  bundleParts,
  bundlePointers,
  collectionPointers,
  compositeParts,
  compositePointers,
  created,
  dealPointers,
  oneGroup,
  pointsAt,
  productParts,
  productPointers,
  servicePointers,
} from "./foreign-pointers.ts";
import { plain, type Row, withBody } from "./foreign-row.ts";

/** The five calls of a record that merchants keep. */
const kept = (
  record: string,
  parameter: string,
  {
    needed,
    pointers = [],
    parts = [],
  }: { needed: object; pointers?: readonly Row[]; parts?: readonly Row[] },
): Record<string, readonly Row[]> => ({
  ...(pointers.length > 0 && { [`POST /${record}`]: created(needed, pointers) }),
  [`GET /${record}/{${parameter}}`]: plain,
  [`PATCH /${record}/{${parameter}}`]: [...withBody({ name: "Mine" }), ...pointers, ...parts],
  [`DELETE /${record}/{${parameter}}`]: plain,
});

const places: readonly Row[] = [
  { path: { product_or_variant_id: "cup_id", location_id: "spare_location_id" } },
  { path: { product_or_variant_id: "variant_id", location_id: "spare_location_id" } },
];
const placesWith = (body: object): readonly Row[] =>
  places.map((row) => ({ ...row, body: () => body }));

const newProduct = { name: "Mine", default_price: "1" };

/** business-surface.md, beneath one business. */
export const businessCalls: Readonly<Record<string, readonly Row[]>> = {
  "GET /keys/{key_id}": plain,
  "DELETE /keys/{key_id}": plain,
  "GET /locations/{location_id}": [{ path: { location_id: "spare_location_id" } }],
  "PATCH /locations/{location_id}": [
    { path: { location_id: "spare_location_id" }, body: () => ({ name: "Mine" }) },
  ],
  "DELETE /locations/{location_id}": [{ path: { location_id: "spare_location_id" } }],
  "GET /audit": [
    { query: (id) => ({ entity: id("product_id") }), outcomes: { product_id: "nothing" } },
    { query: (id) => ({ actor: id("key_id") }), outcomes: { key_id: "nothing" } },
  ],
  ...kept("products", "product_id", {
    needed: newProduct,
    pointers: productPointers,
    parts: productParts,
  }),
  ...kept("categories", "category_id", {
    needed: { name: "Mine" },
    pointers: [
      {
        body: (id) => ({ parent_id: id("child_category_id") }),
        outcomes: pointsAt(["child_category_id"]),
      },
    ],
  }),
  ...kept("collections", "collection_id", {
    needed: { name: "Mine" },
    pointers: collectionPointers,
  }),
  ...kept("attributes", "attribute_id", {
    needed: { key: "mine", label: "Mine", type: "text" },
    pointers: attributePointers,
  }),
  ...kept("billing-plans", "billing_plan_id", { needed: {} }),
  ...kept("bundles", "bundle_id", {
    needed: newProduct,
    pointers: bundlePointers,
    parts: bundleParts,
  }),
  ...kept("composites", "composite_id", {
    needed: { name: "Mine", base_price: "1", groups: oneGroup },
    pointers: [...productPointers, ...compositePointers],
    parts: compositeParts,
  }),
  ...kept("deals", "deal_id", {
    needed: { name: "Mine", discount_type: "percentage", value: "5" },
    pointers: dealPointers,
  }),
  ...kept("services", "service_id", {
    needed: { ...newProduct, duration_minutes: 30 },
    pointers: [...productPointers, ...servicePointers],
  }),
  ...kept("staff", "staff_id", { needed: {} }),
  ...kept("resources", "resource_id", { needed: {} }),
  "PUT /inventory/{product_or_variant_id}/locations/{location_id}": placesWith({
    quantity_on_hand: 1,
  }),
  "POST /inventory/{product_or_variant_id}/locations/{location_id}/adjustments": placesWith({
    delta: 1,
    reason: "found",
  }),
  "GET /inventory": [
    {
      query: (id) => ({ location_id: id("location_id") }),
      outcomes: { location_id: "nothing" },
    },
    { query: (id) => ({ product_id: id("cup_id") }), outcomes: { cup_id: "nothing" } },
  ],
  "GET /orders": [
    { query: (id) => ({ customer: id("customer_id") }), outcomes: { customer_id: "nothing" } },
    { query: (id) => ({ search: id("order_id") }), outcomes: { order_id: "nothing" } },
  ],
  "GET /orders/{order_id}": plain,
  "POST /orders/{order_id}/status": withBody({ status: "confirmed" }),
  "POST /orders/{order_id}/cancel": withBody({}),
  "POST /orders/{order_id}/refunds": withBody({ amount: "1" }),
  "POST /orders/{order_id}/payments/mark-paid": withBody({}),
  "GET /bookings": [
    { query: (id) => ({ service_id: id("service_id") }), outcomes: { service_id: "nothing" } },
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
  "GET /subscriptions/{subscription_id}": plain,
  "POST /subscriptions/{subscription_id}/cancel": withBody({ at_period_end: false }),
  "GET /conversations/{thread_id}": plain,
  "POST /conversations/{thread_id}/messages": withBody({ content: "Hello" }),
  "POST /conversations/{thread_id}/close": plain,
  "GET /customers": [
    { query: (id) => ({ search: id("customer_id") }), outcomes: { customer_id: "nothing" } },
  ],
  "POST /assets/confirm": [{ body: (id) => ({ upload_id: id("asset_id") }) }],
  "GET /assets/{upload_id}": [{ path: { upload_id: "asset_id" } }],
  "DELETE /assets/{upload_id}": [
    { path: { upload_id: "asset_id" }, outcomes: { asset_id: 204 } }, // whether or not it was there
  ],
  "GET /customers/{customer_id}": plain,
  "GET /customers/{customer_id}/data": plain,
  "DELETE /customers/{customer_id}/data": plain,
};
