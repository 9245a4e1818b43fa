// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.

import type { CallOptions, DataOf, InputOf, ItemOf, List, Result } from "../runtime/types.ts";
import type { operations } from "./storefront-types.ts";

export const storefrontRoutes = {
  business: {
    get: "GET /business",
    getShop: "GET /shops/{}",
  },
  auth: {
    createSession: "POST /sessions",
    getStatus: "GET /auth/status session",
    requestOtp: "POST /auth/request-otp body",
    verifyOtp: "POST /auth/verify-otp body session",
    logOut: "POST /auth/logout session",
    updateProfile: "POST /auth/profile body key session",
  },
  products: {
    list: "GET /catalogue/products? cursor",
    get: "GET /catalogue/products/{}?",
    listVariants: "GET /catalogue/products/{}/variants",
    listVariantAxes: "GET /catalogue/products/{}/variant-axes",
    getVariant: "GET /catalogue/products/{}/variants/{}",
    findVariant: "POST /catalogue/products/{}/variants/find body",
    listSchedules: "GET /catalogue/products/{}/schedules",
    checkAvailableNow: "GET /catalogue/products/{}/available-now?",
  },
  billingPlans: {
    list: "GET /catalogue/billing-plans",
    listEligible: "GET /catalogue/products/{}/billing-plans/eligible?",
  },
  categories: {
    listAttributes: "GET /catalogue/categories/{}/attributes",
    list: "GET /catalogue/categories",
    get: "GET /catalogue/categories/{}",
    listProducts: "GET /catalogue/categories/{}/products? offset",
    listDeals: "GET /catalogue/categories/{}/deals",
  },
  collections: {
    listAttributes: "GET /catalogue/collections/{}/attributes",
    list: "GET /catalogue/collections? headers",
    get: "GET /catalogue/collections/{}",
    listProducts: "GET /catalogue/collections/{}/products? offset",
    listDeals: "GET /catalogue/collections/{}/deals",
  },
  deals: {
    validate: "POST /catalogue/deals/validate body session",
  },
  bundles: {
    list: "GET /catalogue/bundles? headers",
    get: "GET /catalogue/bundles/{}",
    getByProduct: "GET /catalogue/bundles/by-product/{}",
  },
  composites: {
    list: "GET /catalogue/composites? headers",
    get: "GET /catalogue/composites/{}",
    getByProduct: "GET /catalogue/composites/by-product/{}",
    calculatePrice: "POST /catalogue/composites/{}/calculate-price body",
  },
  quotes: {
    create: "POST /catalogue/quotes body key session",
    get: "GET /catalogue/quotes/{} session",
    refresh: "POST /catalogue/quotes/{}/refresh body key session",
  },
  services: {
    list: "GET /scheduling/services",
    get: "GET /scheduling/services/{}",
  },
  slots: {
    list: "GET /scheduling/slots?",
    check: "GET /scheduling/slots/check?",
    listAvailableDays: "GET /scheduling/availability?",
  },
  bookings: {
    list: "GET /scheduling/bookings? session headers",
    get: "GET /scheduling/bookings/{}?token session",
    cancel: "POST /scheduling/bookings/{}/cancel?token body key session",
    reschedule: "POST /scheduling/bookings/reschedule?token body key session",
  },
  inventory: {
    getProductStock: "GET /inventory/products/{}/stock?",
    getVariantStock: "GET /inventory/variants/{}/stock?",
    checkProductAvailability: "GET /inventory/products/{}/availability?",
    checkVariantAvailability: "GET /inventory/variants/{}/availability?",
  },
  cart: {
    get: "GET /cart session",
    clear: "DELETE /cart key session",
    listItems: "GET /cart/items session",
    addItem: "POST /cart/items body key session",
    updateItem: "PATCH /cart/items/{} body key session",
    removeItem: "DELETE /cart/items/{} key session",
    applyCoupon: "POST /cart/coupons body key session",
    removeCoupon: "DELETE /cart/coupons/current key session",
    removeCouponByCode: "DELETE /cart/coupons/{} key session",
    setDelivery: "PUT /cart/delivery body key session",
    removeDelivery: "DELETE /cart/delivery key session",
    countItems: "GET /cart/count session",
    getTotal: "GET /cart/total session",
  },
  delivery: {
    listOptions: "GET /delivery/options? session",
  },
  checkout: {
    placeOrder: "POST /checkout body key session",
  },
  payments: {
    authorize: "POST /payments/authorization?token body key session",
  },
  orders: {
    list: "GET /orders? session headers",
    get: "GET /orders/{}?token session",
    getPaymentStatus: "GET /orders/{}/payment-status?token session",
    cancel: "POST /orders/{}/cancel?token body key session",
    attachCustomer: "POST /orders/{}/customer?token body key session",
    verifyPayment: "POST /orders/{}/verify-payment?token key session",
    pay: "POST /orders/{}/pay?token body key session",
    reopenCart: "POST /orders/{}/reopen-cart?token key session",
  },
  subscriptions: {
    list: "GET /subscriptions session",
    get: "GET /subscriptions/{} session",
    cancel: "POST /subscriptions/{}/cancel body key session",
    pause: "POST /subscriptions/{}/pause key session",
    resume: "POST /subscriptions/{}/resume key session",
    setPaymentMethod: "POST /subscriptions/{}/payment-method body key session",
    skipRenewal: "POST /subscriptions/{}/skip key session",
  },
  support: {
    open: "POST /support/conversation key session",
    sendMessage: "POST /support/conversation/messages body key session",
    listMessages: "GET /support/conversation/messages? session",
  },
  activity: {
    recordEvents: "POST /activity/events body key session",
    getState: "GET /activity/state session",
    listRecommendations: "GET /activity/recommendations? session",
    dismissMessage: "POST /activity/messages/dismiss body key session",
  },
  fx: {
    getRate: "GET /fx/rate?",
    createQuote: "POST /fx/quotes body key session",
  },
  places: {
    autocomplete: "POST /places/autocomplete body",
    get: "POST /places/details body",
  },
  uploads: {
    start: "POST /uploads/init body key session",
    confirm: "POST /uploads/confirm body key session",
  },
} as const;

export interface StorefrontMethods {
  readonly business: Readonly<{
    /**
     * Get the business's public details.
     */
    get: (options?: CallOptions) => Promise<Result<DataOf<operations["getBusiness"]>>>;
    /**
     * Find a hosted shop by the slug, the id or the domain of its business.
     */
    getShop: (shop: string, options?: CallOptions) => Promise<Result<DataOf<operations["getShop"]>>>;
  }>;
  readonly auth: Readonly<{
    /**
     * Start an anonymous session without a cookie.
     */
    createSession: (options?: CallOptions) => Promise<Result<DataOf<operations["createSession"]>>>;
    /**
     * Get the logged-in customer.
     */
    getStatus: (options?: CallOptions) => Promise<Result<DataOf<operations["getAuthStatus"]>>>;
    /**
     * Send a one-time code to a phone number or e-mail address.
     */
    requestOtp: (input: InputOf<operations["requestOtp"]>, options?: CallOptions) => Promise<Result<DataOf<operations["requestOtp"]>>>;
    /**
     * Log in with a one-time code.
     *
     * The session gets a new token and keeps its cart.
     */
    verifyOtp: (input: InputOf<operations["verifyOtp"]>, options?: CallOptions) => Promise<Result<DataOf<operations["verifyOtp"]>>>;
    /**
     * Log out, which ends the session and its cart.
     */
    logOut: (options?: CallOptions) => Promise<Result<DataOf<operations["logOut"]>>>;
    /**
     * Change the customer's name, e-mail address or phone number.
     */
    updateProfile: (input: InputOf<operations["updateProfile"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateProfile"]>>>;
  }>;
  readonly products: Readonly<{
    /**
     * List products.
     */
    list: (input?: InputOf<operations["listProducts"]>, options?: CallOptions) => List<ItemOf<operations["listProducts"]>, DataOf<operations["listProducts"]>>;
    /**
     * Get a product by id or slug.
     */
    get: (productId: string, input?: InputOf<operations["getProduct"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getProduct"]>>>;
    /**
     * List a product's variants.
     */
    listVariants: (productId: string, options?: CallOptions) => Promise<Result<DataOf<operations["listProductVariants"]>>>;
    /**
     * List the axes of a product's variants.
     */
    listVariantAxes: (productId: string, options?: CallOptions) => Promise<Result<DataOf<operations["listVariantAxes"]>>>;
    /**
     * Get a variant.
     */
    getVariant: (productId: string, variantId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getProductVariant"]>>>;
    /**
     * Find the variant with the chosen axis values.
     */
    findVariant: (productId: string, input: InputOf<operations["findProductVariant"]>, options?: CallOptions) => Promise<Result<DataOf<operations["findProductVariant"]>>>;
    /**
     * List a product's schedules.
     */
    listSchedules: (productId: string, options?: CallOptions) => Promise<Result<DataOf<operations["listProductSchedules"]>>>;
    /**
     * Check whether a product is available at a location now.
     */
    checkAvailableNow: (productId: string, input: InputOf<operations["checkProductAvailableNow"]>, options?: CallOptions) => Promise<Result<DataOf<operations["checkProductAvailableNow"]>>>;
  }>;
  readonly billingPlans: Readonly<{
    /**
     * List the billing plans with the products that can be subscribed to.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listBillingPlans"]>>>;
    /**
     * List the billing plans that a product can be subscribed to with.
     */
    listEligible: (productId: string, input?: InputOf<operations["listEligibleBillingPlans"]>, options?: CallOptions) => Promise<Result<DataOf<operations["listEligibleBillingPlans"]>>>;
  }>;
  readonly categories: Readonly<{
    /**
     * List a category's attributes.
     */
    listAttributes: (categoryId: string, options?: CallOptions) => Promise<Result<DataOf<operations["listCategoryAttributes"]>>>;
    /**
     * List categories.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listCategories"]>>>;
    /**
     * Get a category.
     */
    get: (categoryId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getCategory"]>>>;
    /**
     * List a category's products.
     */
    listProducts: (categoryId: string, input?: InputOf<operations["listCategoryProducts"]> & { readonly cursor?: string }, options?: CallOptions) => List<ItemOf<operations["listCategoryProducts"]>, DataOf<operations["listCategoryProducts"]>>;
    /**
     * List a category's active deals.
     */
    listDeals: (categoryId: string, options?: CallOptions) => Promise<Result<DataOf<operations["listCategoryDeals"]>>>;
  }>;
  readonly collections: Readonly<{
    /**
     * List a collection's attributes.
     */
    listAttributes: (collectionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["listCollectionAttributes"]>>>;
    /**
     * List collections.
     */
    list: (input?: InputOf<operations["listCollections"]>, options?: CallOptions) => List<ItemOf<operations["listCollections"]>, DataOf<operations["listCollections"]>>;
    /**
     * Get a collection by id or slug.
     */
    get: (collectionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getCollection"]>>>;
    /**
     * List a collection's products.
     */
    listProducts: (collectionId: string, input?: InputOf<operations["listCollectionProducts"]> & { readonly cursor?: string }, options?: CallOptions) => List<ItemOf<operations["listCollectionProducts"]>, DataOf<operations["listCollectionProducts"]>>;
    /**
     * List a collection's active deals.
     */
    listDeals: (collectionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["listCollectionDeals"]>>>;
  }>;
  readonly deals: Readonly<{
    /**
     * Calculate the discount of a code on the session's cart or on a subtotal.
     */
    validate: (input: InputOf<operations["validateDeal"]>, options?: CallOptions) => Promise<Result<DataOf<operations["validateDeal"]>>>;
  }>;
  readonly bundles: Readonly<{
    /**
     * List bundles.
     */
    list: (input?: InputOf<operations["listBundles"]>, options?: CallOptions) => List<ItemOf<operations["listBundles"]>, DataOf<operations["listBundles"]>>;
    /**
     * Get a bundle.
     */
    get: (bundleId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getBundle"]>>>;
    /**
     * Get the bundle of a product.
     */
    getByProduct: (productId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getProductBundle"]>>>;
  }>;
  readonly composites: Readonly<{
    /**
     * List composites.
     */
    list: (input?: InputOf<operations["listComposites"]>, options?: CallOptions) => List<ItemOf<operations["listComposites"]>, DataOf<operations["listComposites"]>>;
    /**
     * Get a composite.
     */
    get: (compositeId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getComposite"]>>>;
    /**
     * Get the composite of a product.
     */
    getByProduct: (productId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getProductComposite"]>>>;
    /**
     * Calculate the price of a composite's selections.
     */
    calculatePrice: (compositeId: string, input: InputOf<operations["calculateCompositePrice"]>, options?: CallOptions) => Promise<Result<DataOf<operations["calculateCompositePrice"]>>>;
  }>;
  readonly quotes: Readonly<{
    /**
     * Create a price quote.
     *
     * @throws BusinessRuleError with the rule SELECTION_INVALID, OUT_OF_STOCK.
     */
    create: (input: InputOf<operations["createQuote"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createQuote"]>>>;
    /**
     * Get a price quote.
     */
    get: (quoteId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getQuote"]>>>;
    /**
     * Refresh a price quote with the current price.
     *
     * @throws BusinessRuleError with the rule SELECTION_INVALID, QUOTE_MISMATCH, OUT_OF_STOCK.
     */
    refresh: (quoteId: string, input: InputOf<operations["refreshQuote"]>, options?: CallOptions) => Promise<Result<DataOf<operations["refreshQuote"]>>>;
  }>;
  readonly services: Readonly<{
    /**
     * List bookable services.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listServices"]>>>;
    /**
     * Get a service by its id or its product's id.
     */
    get: (serviceId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getService"]>>>;
  }>;
  readonly slots: Readonly<{
    /**
     * List a day's slots.
     */
    list: (input: InputOf<operations["listSlots"]>, options?: CallOptions) => Promise<Result<DataOf<operations["listSlots"]>>>;
    /**
     * Check whether a slot can be booked.
     */
    check: (input: InputOf<operations["checkSlot"]>, options?: CallOptions) => Promise<Result<DataOf<operations["checkSlot"]>>>;
    /**
     * Count the bookable slots of each day.
     */
    listAvailableDays: (input: InputOf<operations["listAvailableDays"]>, options?: CallOptions) => Promise<Result<DataOf<operations["listAvailableDays"]>>>;
  }>;
  readonly bookings: Readonly<{
    /**
     * List the customer's bookings: upcoming ones soonest first, otherwise latest first.
     */
    list: (input?: InputOf<operations["listBookings"]>, options?: CallOptions) => List<ItemOf<operations["listBookings"]>, DataOf<operations["listBookings"]>>;
    /**
     * Get a booking.
     */
    get: (bookingId: string, input?: InputOf<operations["getBooking"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getBooking"]>>>;
    /**
     * Cancel a booking.
     *
     * Its order and payment do not change.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, CANCELLATION_WINDOW_CLOSED.
     */
    cancel: (bookingId: string, input: InputOf<operations["cancelBooking"]>, options?: CallOptions) => Promise<Result<DataOf<operations["cancelBooking"]>>>;
    /**
     * Reschedule a booking to another time of the same length.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, CANCELLATION_WINDOW_CLOSED, SLOT_INVALID, SLOT_UNAVAILABLE.
     */
    reschedule: (input: InputOf<operations["rescheduleBooking"]>, options?: CallOptions) => Promise<Result<DataOf<operations["rescheduleBooking"]>>>;
  }>;
  readonly inventory: Readonly<{
    /**
     * Get a product's stock.
     */
    getProductStock: (productId: string, input?: InputOf<operations["getProductStock"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getProductStock"]>>>;
    /**
     * Get a variant's stock.
     */
    getVariantStock: (variantId: string, input?: InputOf<operations["getVariantStock"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getVariantStock"]>>>;
    /**
     * Check whether a quantity of a product is available.
     */
    checkProductAvailability: (productId: string, input: InputOf<operations["checkProductAvailability"]>, options?: CallOptions) => Promise<Result<DataOf<operations["checkProductAvailability"]>>>;
    /**
     * Check whether a quantity of a variant is available.
     */
    checkVariantAvailability: (variantId: string, input: InputOf<operations["checkVariantAvailability"]>, options?: CallOptions) => Promise<Result<DataOf<operations["checkVariantAvailability"]>>>;
  }>;
  readonly cart: Readonly<{
    /**
     * Get the cart.
     */
    get: (options?: CallOptions) => Promise<Result<DataOf<operations["getCart"]>>>;
    /**
     * Empty the cart.
     */
    clear: (options?: CallOptions) => Promise<Result<DataOf<operations["clearCart"]>>>;
    /**
     * List the cart's lines.
     */
    listItems: (options?: CallOptions) => Promise<Result<DataOf<operations["listCartItems"]>>>;
    /**
     * Add an item.
     *
     * @throws BusinessRuleError with the rule SELECTION_INVALID, QUOTE_EXPIRED, QUOTE_MISMATCH, LINE_TOO_LARGE, CART_FULL, LOCATION_MISMATCH, OUT_OF_STOCK, CUSTOMER_REQUIRED, SLOT_INVALID, SLOT_UNAVAILABLE, TOO_MANY_HOLDS, PLAN_NOT_ELIGIBLE.
     */
    addItem: (input: InputOf<operations["addCartItem"]>, options?: CallOptions) => Promise<Result<DataOf<operations["addCartItem"]>>>;
    /**
     * Change a line's quantity.
     *
     * @throws BusinessRuleError with the rule SELECTION_INVALID, QUOTE_EXPIRED, QUOTE_MISMATCH, LINE_TOO_LARGE, CART_FULL, LOCATION_MISMATCH, OUT_OF_STOCK, CUSTOMER_REQUIRED, SLOT_INVALID, SLOT_UNAVAILABLE, TOO_MANY_HOLDS.
     */
    updateItem: (cartItemId: string, input: InputOf<operations["updateCartItem"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateCartItem"]>>>;
    /**
     * Remove a line.
     */
    removeItem: (cartItemId: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeCartItem"]>>>;
    /**
     * Apply a coupon.
     *
     * @throws BusinessRuleError with the rule COUPON_INVALID, COUPON_NOT_STARTED, COUPON_EXPIRED, COUPON_MIN_NOT_MET, COUPON_EXHAUSTED, COUPON_LIMIT.
     */
    applyCoupon: (input: InputOf<operations["applyCartCoupon"]>, options?: CallOptions) => Promise<Result<DataOf<operations["applyCartCoupon"]>>>;
    /**
     * Remove all coupons.
     */
    removeCoupon: (options?: CallOptions) => Promise<Result<DataOf<operations["removeCartCoupon"]>>>;
    /**
     * Remove one coupon.
     */
    removeCouponByCode: (couponCode: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeCartCouponByCode"]>>>;
    /**
     * Choose how the cart is delivered or collected.
     */
    setDelivery: (input: InputOf<operations["setCartDelivery"]>, options?: CallOptions) => Promise<Result<DataOf<operations["setCartDelivery"]>>>;
    /**
     * Remove the delivery.
     */
    removeDelivery: (options?: CallOptions) => Promise<Result<DataOf<operations["removeCartDelivery"]>>>;
    /**
     * Count the units in the cart.
     */
    countItems: (options?: CallOptions) => Promise<Result<DataOf<operations["countCartItems"]>>>;
    /**
     * Get the cart's total.
     */
    getTotal: (options?: CallOptions) => Promise<Result<DataOf<operations["getCartTotal"]>>>;
  }>;
  readonly delivery: Readonly<{
    /**
     * List how the session's cart can be delivered to an address, cheapest first.
     */
    listOptions: (input?: InputOf<operations["listDeliveryOptions"]>, options?: CallOptions) => Promise<Result<DataOf<operations["listDeliveryOptions"]>>>;
  }>;
  readonly checkout: Readonly<{
    /**
     * Turn the cart into an order and start its payment.
     *
     * @throws BusinessRuleError with the rule CART_EMPTY, PAYMENT_METHOD_UNAVAILABLE, ITEM_UNAVAILABLE, COUPON_INVALID, COUPON_NOT_STARTED, COUPON_EXPIRED, COUPON_MIN_NOT_MET, COUPON_EXHAUSTED, PRICE_CHANGED, DELIVERY_REQUIRED, DELIVERY_UNAVAILABLE, PLAN_NOT_ELIGIBLE, CUSTOMER_REQUIRED, TOO_MANY_UNPAID_BOOKINGS, TOO_MANY_UNPAID_ORDERS, OUT_OF_STOCK, SLOT_INVALID, SLOT_UNAVAILABLE, FX_NOT_CONFIGURED, FX_QUOTE_EXPIRED, FX_QUOTE_MISMATCH, FX_QUOTE_USED, SELECTION_INVALID, LOCATION_MISMATCH, CANCELLATION_WINDOW_CLOSED.
     */
    placeOrder: (input: InputOf<operations["placeOrder"]>, options?: CallOptions) => Promise<Result<DataOf<operations["placeOrder"]>>>;
  }>;
  readonly payments: Readonly<{
    /**
     * Answer a payment's challenge.
     *
     * @throws BusinessRuleError with the rule AUTHORIZATION_FAILED, INVALID_STATE.
     */
    authorize: (input: InputOf<operations["authorizePayment"]>, options?: CallOptions) => Promise<Result<DataOf<operations["authorizePayment"]>>>;
  }>;
  readonly orders: Readonly<{
    /**
     * List the customer's orders, newest first.
     */
    list: (input?: InputOf<operations["listOrders"]>, options?: CallOptions) => List<ItemOf<operations["listOrders"]>, DataOf<operations["listOrders"]>>;
    /**
     * Get an order.
     */
    get: (orderId: string, input?: InputOf<operations["getOrder"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getOrder"]>>>;
    /**
     * Get an order's payment status.
     */
    getPaymentStatus: (orderId: string, input?: InputOf<operations["getOrderPaymentStatus"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getOrderPaymentStatus"]>>>;
    /**
     * Cancel an order.
     *
     * Captured payments are refunded.
     *
     * @throws BusinessRuleError with the rule ORDER_NOT_CANCELLABLE, CANCELLATION_WINDOW_CLOSED.
     */
    cancel: (orderId: string, input: InputOf<operations["cancelOrder"]>, options?: CallOptions) => Promise<Result<DataOf<operations["cancelOrder"]>>>;
    /**
     * Attach a guest's order to a customer, who is logged in or has the order's contact.
     */
    attachCustomer: (orderId: string, input: InputOf<operations["attachOrderCustomer"]>, options?: CallOptions) => Promise<Result<DataOf<operations["attachOrderCustomer"]>>>;
    /**
     * Verify an order's payment with the provider.
     */
    verifyPayment: (orderId: string, input?: InputOf<operations["verifyOrderPayment"]>, options?: CallOptions) => Promise<Result<DataOf<operations["verifyOrderPayment"]>>>;
    /**
     * Pay an order again whose payment has failed or waits.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, PAYMENT_METHOD_UNAVAILABLE, FX_NOT_CONFIGURED, FX_QUOTE_EXPIRED, FX_QUOTE_MISMATCH, FX_QUOTE_USED.
     */
    pay: (orderId: string, input: InputOf<operations["payOrder"]>, options?: CallOptions) => Promise<Result<DataOf<operations["payOrder"]>>>;
    /**
     * Cancel an unpaid order and put its items back into the cart.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, CANCELLATION_WINDOW_CLOSED, ORDER_NOT_CANCELLABLE, LINE_TOO_LARGE, LOCATION_MISMATCH, CART_FULL.
     */
    reopenCart: (orderId: string, input?: InputOf<operations["reopenOrderCart"]>, options?: CallOptions) => Promise<Result<DataOf<operations["reopenOrderCart"]>>>;
  }>;
  readonly subscriptions: Readonly<{
    /**
     * List the customer's latest 100 subscriptions, newest first.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listSubscriptions"]>>>;
    /**
     * Get a subscription with its plan, items and next invoice.
     */
    get: (subscriptionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getSubscription"]>>>;
    /**
     * Cancel a subscription at the end of its current period.
     */
    cancel: (subscriptionId: string, input: InputOf<operations["cancelSubscription"]>, options?: CallOptions) => Promise<Result<DataOf<operations["cancelSubscription"]>>>;
    /**
     * Pause a subscription's renewals.
     */
    pause: (subscriptionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["pauseSubscription"]>>>;
    /**
     * Resume a subscription.
     *
     * Its renewal dates stay the same.
     */
    resume: (subscriptionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["resumeSubscription"]>>>;
    /**
     * Choose how a subscription is paid, and pay an unpaid period.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, PAYMENT_METHOD_UNAVAILABLE.
     */
    setPaymentMethod: (subscriptionId: string, input: InputOf<operations["setSubscriptionPaymentMethod"]>, options?: CallOptions) => Promise<Result<DataOf<operations["setSubscriptionPaymentMethod"]>>>;
    /**
     * Skip a subscription's next renewal.
     */
    skipRenewal: (subscriptionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["skipSubscriptionRenewal"]>>>;
  }>;
  readonly support: Readonly<{
    /**
     * Open the session's conversation and get its latest messages.
     */
    open: (options?: CallOptions) => Promise<Result<DataOf<operations["openConversation"]>>>;
    /**
     * Send a message.
     *
     * A repeated client_id gets 409 with the first message; after 2,000 messages, 422 CONVERSATION_FULL.
     */
    sendMessage: (input: InputOf<operations["sendConversationMessage"]>, options?: CallOptions) => Promise<Result<DataOf<operations["sendConversationMessage"]>>>;
    /**
     * List messages, optionally after a time.
     */
    listMessages: (input?: InputOf<operations["listConversationMessages"]>, options?: CallOptions) => Promise<Result<DataOf<operations["listConversationMessages"]>>>;
  }>;
  readonly activity: Readonly<{
    /**
     * Record activity events of the session.
     */
    recordEvents: (input: InputOf<operations["recordActivityEvents"]>, options?: CallOptions) => Promise<Result<DataOf<operations["recordActivityEvents"]>>>;
    /**
     * Get the session's activity, intent, messages and incentive.
     */
    getState: (options?: CallOptions) => Promise<Result<DataOf<operations["getActivityState"]>>>;
    /**
     * Recommend products to the shopper.
     */
    listRecommendations: (input?: InputOf<operations["listRecommendations"]>, options?: CallOptions) => Promise<Result<DataOf<operations["listRecommendations"]>>>;
    /**
     * Dismiss a message for this session.
     */
    dismissMessage: (input: InputOf<operations["dismissActivityMessage"]>, options?: CallOptions) => Promise<Result<DataOf<operations["dismissActivityMessage"]>>>;
  }>;
  readonly fx: Readonly<{
    /**
     * Get an indicative exchange rate.
     */
    getRate: (input: InputOf<operations["getFxRate"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getFxRate"]>>>;
    /**
     * Lock an exchange rate for five minutes.
     */
    createQuote: (input: InputOf<operations["createFxQuote"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createFxQuote"]>>>;
  }>;
  readonly places: Readonly<{
    /**
     * Suggest addresses for an input.
     */
    autocomplete: (input: InputOf<operations["autocompletePlaces"]>, options?: CallOptions) => Promise<Result<DataOf<operations["autocompletePlaces"]>>>;
    /**
     * Get an address with its components and coordinates.
     */
    get: (input: InputOf<operations["getPlace"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getPlace"]>>>;
  }>;
  readonly uploads: Readonly<{
    /**
     * Start an upload and get the URL for its content.
     */
    start: (input: InputOf<operations["startUpload"]>, options?: CallOptions) => Promise<Result<DataOf<operations["startUpload"]>>>;
    /**
     * Confirm an upload after its content was sent.
     */
    confirm: (input: InputOf<operations["confirmUpload"]>, options?: CallOptions) => Promise<Result<DataOf<operations["confirmUpload"]>>>;
  }>;
}
