import { deliveredBy, deliveryAddress } from "../create-business-records.ts";
import { type SampleRequest, withBody, withoutFields } from "./sample-request.ts";

const atLocation: readonly SampleRequest[] = [
  {},
  { query: (id) => ({ location_id: id("spare_location_id") }) },
];
const availabilityRequests: readonly SampleRequest[] = [
  { query: (id) => ({ quantity: "1", location_id: id("spare_location_id") }) },
];

/** A request with the customer's login, and one with the order's token instead. */
const asCustomerAndWithToken = (body?: SampleRequest["body"]): readonly SampleRequest[] => [
  { ...(body && { body }) },
  { as: "guest", query: (id) => ({ token: id("bill_token") }), ...(body && { body }) },
];

const quoteRequests: readonly SampleRequest[] = [
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

/** Mobile money that asks for a code. */
const codeByPhone = {
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: "0241234561", provider: "mtn" },
};

const slotRequests = (query: Record<string, string>): readonly SampleRequest[] => [
  {
    query: (id) => ({
      ...query,
      service_id: id("service_id"),
      variant_id: id("service_variant_id"),
      location_id: id("location_id"),
      staff_id: id("staff_id"),
    }),
  },
  { query: (id) => ({ ...query, service_id: id("service_product_id") }) },
];

/** Requests of the storefront API, by operation without the path prefix. */
export const storefrontRequests: Readonly<Record<string, readonly SampleRequest[]>> = {
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
  "GET /catalogue/products/{product_id}/variants": withoutFields,
  "GET /catalogue/products/{product_id}/variant-axes": withoutFields,
  "GET /catalogue/products/{product_id}/variants/{variant_id}": withoutFields,
  "POST /catalogue/products/{product_id}/variants/find": withBody({
    axis_selections: { size: "S" },
  }),
  "GET /catalogue/products/{product_id}/schedules": withoutFields,
  "GET /catalogue/products/{product_id}/available-now": [
    { query: (id) => ({ location_id: id("location_id") }) },
  ],
  "GET /catalogue/billing-plans": withoutFields,
  "GET /catalogue/products/{product_id}/billing-plans/eligible": [
    {
      query: (id) => ({ customer_id: id("customer_id") }),
      outcomes: { customer_id: "taken" },
    },
  ],
  "GET /catalogue/categories/{category_id}": withoutFields,
  "GET /catalogue/categories/{category_id}/products": withoutFields,
  "GET /catalogue/categories/{category_id}/attributes": withoutFields,
  "GET /catalogue/categories/{category_id}/deals": withoutFields,
  "GET /catalogue/collections": [{ query: (id) => ({ location_id: id("spare_location_id") }) }],
  "GET /catalogue/collections/{collection_id}": withoutFields,
  "GET /catalogue/collections/{collection_id}/products": withoutFields,
  "GET /catalogue/collections/{collection_id}/attributes": withoutFields,
  "GET /catalogue/collections/{collection_id}/deals": withoutFields,
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
  "GET /catalogue/bundles/{bundle_id}": withoutFields,
  "GET /catalogue/bundles/by-product/{product_id}": [{ path: { product_id: "bundle_product_id" } }],
  "GET /catalogue/composites/{composite_id}": withoutFields,
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
  "POST /catalogue/quotes": quoteRequests,
  "GET /catalogue/quotes/{quote_id}": withoutFields,
  "POST /catalogue/quotes/{quote_id}/refresh": quoteRequests,
  "GET /scheduling/services/{service_id}": [{}, { path: { service_id: "service_product_id" } }],
  "GET /scheduling/slots": slotRequests({ date: "2030-01-07" }),
  "GET /scheduling/slots/check": slotRequests({ slot_time: "2030-01-07T09:00:00Z" }),
  "GET /scheduling/availability": slotRequests({
    start_date: "2030-01-07",
    end_date: "2030-01-08",
  }),
  "GET /scheduling/bookings/{booking_id}": asCustomerAndWithToken(),
  "POST /scheduling/bookings/{booking_id}/cancel": asCustomerAndWithToken(() => ({})),
  "POST /scheduling/bookings/reschedule": asCustomerAndWithToken((id) => ({
    order_id: id("order_id"),
    line_item_id: id("line_item_id"),
    new_staff_id: id("staff_id"),
    new_start_time: "2030-01-07T09:00:00Z",
    new_end_time: "2030-01-07T10:30:00Z",
  })),
  "GET /inventory/products/{product_id}/stock": atLocation,
  "GET /inventory/products/{product_id}/availability": availabilityRequests,
  "GET /inventory/variants/{variant_id}/stock": atLocation,
  "GET /inventory/variants/{variant_id}/availability": availabilityRequests,
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
  "DELETE /cart/items/{cart_item_id}": withoutFields,
  "POST /cart/coupons": [
    {
      body: (id) => ({ coupon_code: id("deal_code") }),
      outcomes: { deal_code: "422 COUPON_INVALID" },
    },
  ],
  "DELETE /cart/coupons/{coupon_code}": [{ path: { coupon_code: "deal_code" } }],
  "PUT /cart/delivery": [
    { body: (id) => ({ option_id: id("method_id"), address: deliveryAddress }) },
  ],
  "POST /checkout": [
    {
      body: (id) => ({
        cart_id: id("cart_id"),
        customer: { email: "ama@example.com" },
        ...deliveredBy(id("method_id")),
        payment_method: "cash",
      }),
    },
    {
      body: (id) => ({
        cart_id: id("cart_id"),
        customer: { email: "ama@example.com" },
        ...deliveredBy(id("method_id")),
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
    {
      as: "guest",
      query: (id) => ({ token: id("bill_token") }),
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
  "GET /orders/{order_id}": asCustomerAndWithToken(),
  "GET /orders/{order_id}/payment-status": asCustomerAndWithToken(),
  "POST /orders/{order_id}/cancel": asCustomerAndWithToken(() => ({})),
  "POST /orders/{order_id}/customer": asCustomerAndWithToken((id) => ({
    customer_id: id("customer_id"),
  })).map(
    (row) => ({ ...row, otherCustomerOutcomes: { customer_id: 409 } }), // 409: the order already has a customer
  ),
  "POST /orders/{order_id}/verify-payment": asCustomerAndWithToken(),
  "POST /orders/{order_id}/pay": [
    { body: () => codeByPhone },
    {
      as: "guest",
      query: (id) => ({ token: id("bill_token") }),
      body: (id) => ({ ...codeByPhone, pay_currency: "USD", fx_quote_id: id("fx_quote_id") }),
    },
    { body: () => codeByPhone }, // again, so that the customer's session may authorize the payment
  ],
  "POST /orders/{order_id}/reopen-cart": asCustomerAndWithToken(),
  "GET /subscriptions/{subscription_id}": withoutFields,
  "POST /subscriptions/{subscription_id}/cancel": withBody({}),
  "POST /subscriptions/{subscription_id}/pause": withoutFields,
  "POST /subscriptions/{subscription_id}/resume": withoutFields,
  "POST /subscriptions/{subscription_id}/skip": withoutFields,
  "POST /subscriptions/{subscription_id}/payment-method": withBody({
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
  }),
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
  "PATCH /webhooks/{webhook_id}": withBody({ description: "Changed", payload: "full" }),
  "POST /webhooks/{webhook_id}/rotate-secret": withoutFields,
  "POST /webhooks/{webhook_id}/test": withoutFields,
  "GET /webhooks/{webhook_id}/deliveries": withoutFields,
  "POST /webhooks/deliveries/{delivery_id}/retry": withoutFields,
};
