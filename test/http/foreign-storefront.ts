import { plain, type Row, withBody } from "./foreign-row.ts";

const atLocation: readonly Row[] = [
  {},
  { query: (id) => ({ location_id: id("spare_location_id") }) },
];
const available: readonly Row[] = [
  { query: (id) => ({ quantity: "1", location_id: id("spare_location_id") }) },
];

/** An order is opened by its customer's login, or by whoever has its token. */
const ofOrder = (body?: Row["body"]): readonly Row[] => [
  { ...(body && { body }) },
  { as: "guest", query: (id) => ({ token: id("bill_token") }), ...(body && { body }) },
];

const quoted: readonly Row[] = [
  {
    body: (id) => ({
      product_id: id("product_id"),
      variant_id: id("variant_id"),
      location_id: id("spare_location_id"),
      add_on_option_ids: [id("add_on_option_id")],
    }),
  },
  {
    body: (id) => ({
      product_id: id("bundle_product_id"),
      bundle_selections: [
        { component_id: id("bundle_component_id"), variant_id: id("variant_id"), quantity: 1 },
      ],
    }),
  },
  {
    body: (id) => ({
      product_id: id("composite_product_id"),
      composite_selections: [
        { component_id: id("composite_component_id"), quantity: 1 },
        {
          component_id: id("composite_tea_id"),
          quantity: 1,
          variant_id: id("variant_id"),
          add_on_option_id: id("add_on_option_id"),
        },
      ],
    }),
  },
];

const slotsWith = (asked: Record<string, string>): readonly Row[] => [
  {
    query: (id) => ({
      ...asked,
      service_id: id("service_id"),
      variant_id: id("service_variant_id"),
      location_id: id("location_id"),
      staff_id: id("staff_id"),
    }),
  },
  { query: (id) => ({ ...asked, service_id: id("service_product_id") }) },
];

/** interface.md, Endpoints: the storefront surface, beneath its prefix. */
export const storefrontCalls: Readonly<Record<string, readonly Row[]>> = {
  "GET /catalogue/products": [
    {
      query: (id) => ({ category_id: id("category_id") }),
      outcomes: { category_id: "nothing" },
    },
    {
      query: (id) => ({ category_slug: id("category_slug") }),
      outcomes: { category_slug: "nothing" },
    },
    { query: (id) => ({ location_id: id("spare_location_id") }) },
  ],
  "GET /catalogue/products/{product_id}": atLocation,
  "GET /catalogue/products/{product_id}/variants": plain,
  "GET /catalogue/products/{product_id}/variant-axes": plain,
  "GET /catalogue/products/{product_id}/variants/{variant_id}": plain,
  "POST /catalogue/products/{product_id}/variants/find": withBody({
    axis_selections: { size: "S" },
  }),
  "GET /catalogue/products/{product_id}/schedules": plain,
  "GET /catalogue/products/{product_id}/available-now": [
    { query: (id) => ({ location_id: id("location_id") }) },
  ],
  "GET /catalogue/products/{product_id}/billing-plans/eligible": [
    {
      query: (id) => ({ customer_id: id("customer_id") }),
      outcomes: { customer_id: "taken" },
    },
  ],
  "GET /catalogue/categories/{category_id}": plain,
  "GET /catalogue/categories/{category_id}/products": plain,
  "GET /catalogue/categories/{category_id}/attributes": plain,
  "GET /catalogue/categories/{category_id}/deals": plain,
  "GET /catalogue/collections": [{ query: (id) => ({ location_id: id("spare_location_id") }) }],
  "GET /catalogue/collections/{collection_id}": plain,
  "GET /catalogue/collections/{collection_id}/products": plain,
  "GET /catalogue/collections/{collection_id}/attributes": plain,
  "GET /catalogue/collections/{collection_id}/deals": plain,
  "POST /catalogue/deals/validate": [
    {
      body: (id) => ({
        discount_code: id("deal_code"),
        order_subtotal: "100",
        location_id: id("spare_location_id"),
      }),
      outcomes: { deal_code: "taken" },
    },
  ],
  "GET /catalogue/bundles/{bundle_id}": plain,
  "GET /catalogue/composites/{composite_id}": plain,
  "GET /catalogue/composites/by-product/{product_id}": [
    { path: { product_id: "composite_product_id" } },
  ],
  "POST /catalogue/composites/{composite_id}/calculate-price": [
    {
      body: (id) => ({
        selections: [
          { component_id: id("composite_component_id"), quantity: 1 },
          {
            component_id: id("composite_tea_id"),
            quantity: 1,
            variant_id: id("variant_id"),
            add_on_option_id: id("add_on_option_id"),
          },
        ],
        location_id: id("spare_location_id"),
      }),
    },
  ],
  "POST /catalogue/quotes": quoted,
  "GET /catalogue/quotes/{quote_id}": plain,
  "POST /catalogue/quotes/{quote_id}/refresh": quoted,
  "GET /scheduling/services/{service_id}": [{}, { path: { service_id: "service_product_id" } }],
  "GET /scheduling/slots": slotsWith({ date: "2030-01-07" }),
  "GET /scheduling/slots/check": slotsWith({ slot_time: "2030-01-07T09:00:00Z" }),
  "GET /scheduling/availability": slotsWith({ start_date: "2030-01-07", end_date: "2030-01-08" }),
  "GET /scheduling/bookings/{booking_id}": ofOrder(),
  "POST /scheduling/bookings/{booking_id}/cancel": ofOrder(() => ({})),
  "POST /scheduling/bookings/reschedule": ofOrder((id) => ({
    order_id: id("order_id"),
    line_item_id: id("line_item_id"),
    new_staff_id: id("staff_id"),
    new_start_time: "2030-01-07T09:00:00Z",
    new_end_time: "2030-01-07T10:30:00Z",
  })),
  "GET /inventory/products/{product_id}/stock": atLocation,
  "GET /inventory/products/{product_id}/availability": available,
  "GET /inventory/variants/{variant_id}/stock": atLocation,
  "GET /inventory/variants/{variant_id}/availability": available,
  "POST /cart/items": [
    {
      body: (id) => ({
        item_id: id("product_id"),
        variant_id: id("variant_id"),
        add_on_options: [id("add_on_option_id")],
        location_id: id("spare_location_id"),
      }),
    },
    {
      body: (id) => ({
        item_id: id("product_id"),
        variant_id: id("variant_id"),
        quote_id: id("quote_id"),
      }),
    },
    {
      body: (id) => ({ item_id: id("product_id"), billing_plan_id: id("billing_plan_id") }),
    },
    {
      body: (id) => ({
        item_id: id("service_product_id"),
        variant_id: id("service_variant_id"),
        location_id: id("location_id"),
        staff_id: id("staff_id"),
        scheduled_start: "2030-01-07T09:00:00Z",
      }),
    },
    {
      body: (id) => ({
        item_id: id("bundle_product_id"),
        bundle_selections: [
          { component_id: id("bundle_component_id"), variant_id: id("variant_id") },
        ],
      }),
    },
    {
      body: (id) => ({
        item_id: id("composite_product_id"),
        composite_selections: [
          { component_id: id("composite_component_id") },
          {
            component_id: id("composite_tea_id"),
            variant_id: id("variant_id"),
            add_on_option_id: id("add_on_option_id"),
          },
        ],
      }),
    },
  ],
  "PATCH /cart/items/{cart_item_id}": withBody({ quantity: 2 }),
  "DELETE /cart/items/{cart_item_id}": plain,
  "POST /cart/coupons": [
    {
      body: (id) => ({ coupon_code: id("deal_code") }),
      outcomes: { deal_code: "422 COUPON_INVALID" },
    },
  ],
  "POST /checkout": [
    {
      body: (id) => ({
        cart_id: id("cart_id"),
        customer: { email: "ama@example.com" },
        payment_method: "cash",
      }),
    },
    {
      body: (id) => ({
        cart_id: id("cart_id"),
        customer: { email: "ama@example.com" },
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
        pay_currency: "USD",
        fx_quote_id: id("fx_quote_id"),
      }),
    },
  ],
  "POST /payments/authorization": [
    {
      body: (id) => ({
        payment_id: id("payment_id"),
        authorization: { type: "otp", value: "123456" },
      }),
    },
  ],
  "GET /orders": [
    {
      query: (id) => ({ location_id: id("spare_location_id") }),
      outcomes: { spare_location_id: "nothing" },
    },
  ],
  "GET /orders/{order_id}": ofOrder(),
  "GET /orders/{order_id}/payment-status": ofOrder(),
  "POST /orders/{order_id}/cancel": ofOrder(() => ({})),
  "POST /orders/{order_id}/customer": ofOrder((id) => ({ customer_id: id("customer_id") })).map(
    (row) => ({ ...row, ofCustomer: { customer_id: 409 } }), // completions.md 6: it is somebody's already
  ),
  "POST /orders/{order_id}/verify-payment": ofOrder(),
  "GET /subscriptions/{subscription_id}": plain,
  "POST /subscriptions/{subscription_id}/cancel": withBody({}),
  "POST /subscriptions/{subscription_id}/pause": plain,
  "POST /subscriptions/{subscription_id}/resume": plain,
  "POST /subscriptions/{subscription_id}/skip": plain,
  "POST /activity/events": [
    {
      body: (id) => ({
        events: [
          { type: "product_view", product_id: id("product_id"), category_id: id("category_id") },
          { type: "cart_add", product_id: id("cup_id") },
        ],
      }),
      outcomes: { product_id: "taken", category_id: "taken", cup_id: "taken" },
    },
  ],
  "POST /uploads/confirm": [{ body: (id) => ({ upload_id: id("upload_id") }) }],
  "DELETE /webhooks/{webhook_id}": [{ outcomes: { webhook_id: "taken" } }],
  "PATCH /webhooks/{webhook_id}": withBody({ description: "Changed" }),
  "POST /webhooks/{webhook_id}/rotate-secret": plain,
  "POST /webhooks/{webhook_id}/test": plain,
  "GET /webhooks/{webhook_id}/deliveries": plain,
  "POST /webhooks/deliveries/{delivery_id}/retry": plain,
};
