/** The JSON type of a fact in `context`. */
type FactType = "string" | "integer" | "strings";

type RuleInfo = Readonly<{
  meaning: string;
  /** What `context` says beyond the rule's name. Not every refusal has every fact. */
  facts?: Readonly<Record<string, FactType>>;
}>;

const unpaidLimitFacts = { scope: "string", limit: "integer", retry_after_ms: "integer" } as const;

/** Every rule of a 422 (docs/contract/conventions.md#rules). */
export const rules = {
  ADDRESS_LIMIT: {
    meaning: "The account has as many addresses as it may.",
    facts: { limit: "integer" },
  },
  AREA_OVERLAP: {
    meaning: "Another active delivery zone has the area already.",
    facts: {
      zone_id: "string",
      country: "string",
      region: "string",
      postal_code_prefix: "string",
    },
  },
  AUTHORIZATION_FAILED: {
    meaning: "The value that answers the payment's challenge is wrong.",
    facts: { attempts_left: "integer", authorization_type: "string" },
  },
  CANCELLATION_WINDOW_CLOSED: {
    meaning: "It is too late to change the booking.",
    facts: { cancellation_notice_minutes: "integer" },
  },
  CART_EMPTY: { meaning: "The cart has no lines." },
  CART_FULL: { meaning: "The cart has as many lines, or as much text, as it may." },
  CATEGORY_CYCLE: { meaning: "A category cannot be below itself.", facts: { field: "string" } },
  CONTACT_LIMIT: {
    meaning: "The account has as many contacts as it may.",
    facts: { limit: "integer" },
  },
  CONVERSATION_FULL: { meaning: "The conversation takes no more messages." },
  COUPON_EXHAUSTED: { meaning: "The uses of the coupon are used up." },
  COUPON_EXPIRED: { meaning: "The coupon has ended." },
  COUPON_INVALID: { meaning: "There is no such coupon, or it covers none of the lines." },
  COUPON_LIMIT: {
    meaning: "The cart has as many coupons as it may.",
    facts: { limit: "integer" },
  },
  COUPON_MIN_NOT_MET: { meaning: "The subtotal or a quantity is below the coupon's minimum." },
  COUPON_NOT_STARTED: { meaning: "The coupon has not started." },
  CREDENTIALS_REFUSED: { meaning: "The payment provider does not accept the keys." },
  CUSTOMER_REQUIRED: { meaning: "The customer has to log in." },
  DELIVERY_REQUIRED: { meaning: "The order needs a delivery option." },
  DELIVERY_UNAVAILABLE: {
    meaning: "The delivery option is not offered for this cart, address or order type.",
  },
  FX_NOT_CONFIGURED: { meaning: "The business has no exchange rates." },
  FX_QUOTE_EXPIRED: { meaning: "The FX quote has expired." },
  FX_QUOTE_MISMATCH: { meaning: "The FX quote is for other currencies or a smaller amount." },
  FX_QUOTE_USED: { meaning: "Another order has used the FX quote." },
  INVALID_CODE: { meaning: "One of the codes is wrong, spent or expired." },
  INVALID_STATE: {
    meaning: "The status of the record does not allow the change.",
    facts: {
      status: "string",
      payment_status: "string",
      payment_method: "string",
      open_refunds: "integer",
    },
  },
  ITEM_UNAVAILABLE: {
    meaning: "Something in the cart is not offered any more, or not at this time.",
    facts: { items: "strings" },
  },
  DOMAIN_LIMIT: { meaning: "The business has 20 domains already." },
  DOMAIN_NOT_VERIFIED: {
    meaning: "The DNS record that proves whose the hostname is was not found.",
  },
  DOMAIN_PENDING: { meaning: "The domain's DNS record was not found yet." },
  LAST_CONTACT: { meaning: "The account keeps at least one contact." },
  TAX_RATE_LIMIT: { meaning: "The place has 50 active tax rates already." },
  NOT_EMPTY: { meaning: "The business has records already." },
  LAST_KEY: { meaning: "It is the last key that can manage keys." },
  LAST_OWNER: { meaning: "It is the last owner who has accepted." },
  LINE_TOO_LARGE: {
    meaning: "The choices of a line take more bytes than a line may.",
    facts: { field: "string", max_bytes: "integer" },
  },
  LOCATION_MISMATCH: {
    meaning: "The cart's lines are of another location.",
    facts: { location_id: "string" },
  },
  MOBILE_MONEY_LIMIT: {
    meaning: "The account has as many mobile-money accounts as it may.",
    facts: { limit: "integer" },
  },
  NOT_TRACKED: {
    meaning: "Stock is not counted for this record.",
    facts: { inventory_type: "string" },
  },
  ORDER_NOT_CANCELLABLE: {
    meaning: "The order has gone too far to be cancelled.",
    facts: { status: "string" },
  },
  OUT_OF_STOCK: { meaning: "There are too few units.", facts: { quantity_available: "integer" } },
  PASSKEY_LIMIT: {
    meaning: "The login has as many passkeys as it may.",
    facts: { limit: "integer" },
  },
  PAYMENT_METHOD_UNAVAILABLE: {
    meaning: "The business, or its payment provider, does not take this payment method.",
    facts: { reason: "string", order_id: "string" },
  },
  PLAN_NOT_ELIGIBLE: {
    meaning: "The minimum of the billing plan is not reached.",
    facts: {
      item: "string",
      billing_plan_id: "string",
      min_quantity: "integer",
      min_order_value: "string",
    },
  },
  PRICE_CHANGED: {
    meaning: "The total is not the expected one.",
    facts: { expected_total: "string", total_price: "string" },
  },
  QUANTITY_TOO_LARGE: {
    meaning: "Fewer units of the order are left to ship.",
    facts: { order_item_id: "string", quantity_left: "integer" },
  },
  QUOTE_EXPIRED: { meaning: "The quote has expired." },
  QUOTE_MISMATCH: {
    meaning: "The quote is for another configuration or fewer units.",
    facts: { quantity_quoted: "integer" },
  },
  REFUND_TOO_LARGE: { meaning: "The amount exceeds what is left of the payment." },
  SAVED_LIMIT: {
    meaning: "The account has as many records as it may.",
    facts: { limit: "integer" },
  },
  SELECTION_INVALID: { meaning: "Options, components or a variant do not fit the product." },
  SLOT_INVALID: { meaning: "The requested times do not fit the service." },
  SLOT_UNAVAILABLE: {
    meaning: "The slot is taken, or cannot be booked.",
    facts: { reason: "string", items: "strings" },
  },
  STOCK_RESERVED: { meaning: "Open orders hold more units than would be left." },
  TOO_MANY_HOLDS: { meaning: "Too many slots are held.", facts: unpaidLimitFacts },
  TOO_MANY_UNPAID_BOOKINGS: { meaning: "Too many bookings are unpaid.", facts: unpaidLimitFacts },
  TOO_MANY_UNPAID_ORDERS: { meaning: "Too many orders are unpaid.", facts: unpaidLimitFacts },
  WEBHOOK_DISABLED: { meaning: "The webhook is disabled." },
  WEBHOOK_LIMIT: {
    meaning: "The business has as many webhooks as it may.",
    facts: { limit: "integer" },
  },
} as const satisfies Record<string, RuleInfo>;

export type Rule = keyof typeof rules;

export const ruleInfo = (rule: Rule): RuleInfo => rules[rule];
