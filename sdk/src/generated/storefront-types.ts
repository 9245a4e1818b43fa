// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.

export interface webhooks {
    readonly "order.created": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * New order placed via checkout
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onOrderCreated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "order.updated": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Order status or line items changed
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onOrderUpdated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "order.completed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Order fulfilled
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onOrderCompleted"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "order.cancelled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Order cancelled
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onOrderCancelled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "payment.completed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Payment settled
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onPaymentCompleted"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "payment.failed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Payment provider returned a failure
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onPaymentFailed"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "payment.refunded": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Refund processed
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onPaymentRefunded"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "payment.disputed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Payer's bank contests a payment, or its decision changed
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onPaymentDisputed"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "shipment.created": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Shipment of an order created
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onShipmentCreated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "shipment.updated": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Shipment's status or tracking changed
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onShipmentUpdated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "booking.created": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Service booking added to an order
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onBookingCreated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "booking.rescheduled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Booking moved to a new time
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onBookingRescheduled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "booking.cancelled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Booking cancelled
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onBookingCancelled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "subscription.renewed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Subscription renewal succeeded
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onSubscriptionRenewed"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "subscription.cancelled": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Subscription cancelled
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onSubscriptionCancelled"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "inventory.low_stock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Stock dropped below the configured threshold
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onInventoryLowStock"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "support.message_created": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Message posted in a support conversation
         * @description Respond with any 2xx within 15 seconds. Redirects are not followed. A failed delivery is retried 1, 5 and 15 minutes and 1, 6 and 24 hours after the first attempt. An event may arrive more than once: recognise repeats by its id.
         */
        readonly post: operations["onSupportMessageCreated"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        readonly OrderCreatedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "order.created";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly order_id: string;
                readonly order_number: string;
                /** @enum {string} */
                readonly status: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled";
                readonly total_price: string;
                readonly currency: string;
                readonly customer_id: string | null;
                readonly item_count: number;
                readonly lines?: readonly {
                    readonly id: string;
                    readonly product_id: string;
                    readonly product_name: string;
                    readonly variant_id: string | null;
                    readonly variant_name: string | null;
                    readonly quantity: number;
                    readonly unit_price: string;
                    readonly total: string;
                    readonly discount_amount: string;
                    readonly discounts: readonly components["schemas"]["LineDiscount"][];
                    readonly tax_amount: string;
                    readonly slug: string | null;
                    readonly image_url: string | null;
                    readonly add_ons: readonly {
                        readonly id: string;
                        readonly name: string;
                        readonly group_name: string;
                        readonly price: string;
                    }[];
                    readonly contents: readonly {
                        readonly component_id: string;
                        readonly product_id: string | null;
                        readonly name: string;
                        readonly variant_id: string | null;
                        readonly variant_name: string | null;
                        readonly add_on_option_id: string | null;
                        readonly add_on_option_name: string | null;
                        readonly quantity: number;
                        readonly unit_price: string;
                    }[];
                    readonly price_parts: readonly {
                        readonly name: string;
                        readonly amount: string;
                    }[];
                    readonly add_on_options: readonly string[];
                    readonly special_instructions: string | null;
                }[];
                readonly contact?: {
                    readonly name: string | null;
                    readonly email: string | null;
                    readonly phone: string | null;
                    readonly delivery_address: {
                        readonly [key: string]: Record<string, unknown> | readonly unknown[] | string | number | boolean | null;
                    } | null;
                };
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly LineDiscount: {
            readonly deal_id: string;
            readonly amount: string;
        };
        readonly OrderUpdatedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "order.updated";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly order_id: string;
                readonly order_number: string;
                /** @enum {string} */
                readonly status: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled";
                readonly total_price: string;
                readonly currency: string;
                readonly customer_id: string | null;
                readonly item_count: number;
                readonly lines?: readonly {
                    readonly id: string;
                    readonly product_id: string;
                    readonly product_name: string;
                    readonly variant_id: string | null;
                    readonly variant_name: string | null;
                    readonly quantity: number;
                    readonly unit_price: string;
                    readonly total: string;
                    readonly discount_amount: string;
                    readonly discounts: readonly components["schemas"]["LineDiscount"][];
                    readonly tax_amount: string;
                    readonly slug: string | null;
                    readonly image_url: string | null;
                    readonly add_ons: readonly {
                        readonly id: string;
                        readonly name: string;
                        readonly group_name: string;
                        readonly price: string;
                    }[];
                    readonly contents: readonly {
                        readonly component_id: string;
                        readonly product_id: string | null;
                        readonly name: string;
                        readonly variant_id: string | null;
                        readonly variant_name: string | null;
                        readonly add_on_option_id: string | null;
                        readonly add_on_option_name: string | null;
                        readonly quantity: number;
                        readonly unit_price: string;
                    }[];
                    readonly price_parts: readonly {
                        readonly name: string;
                        readonly amount: string;
                    }[];
                    readonly add_on_options: readonly string[];
                    readonly special_instructions: string | null;
                }[];
                readonly contact?: {
                    readonly name: string | null;
                    readonly email: string | null;
                    readonly phone: string | null;
                    readonly delivery_address: {
                        readonly [key: string]: Record<string, unknown> | readonly unknown[] | string | number | boolean | null;
                    } | null;
                };
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly OrderCompletedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "order.completed";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly order_id: string;
                readonly order_number: string;
                /** @enum {string} */
                readonly status: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled";
                readonly total_price: string;
                readonly currency: string;
                readonly customer_id: string | null;
                readonly item_count: number;
                readonly lines?: readonly {
                    readonly id: string;
                    readonly product_id: string;
                    readonly product_name: string;
                    readonly variant_id: string | null;
                    readonly variant_name: string | null;
                    readonly quantity: number;
                    readonly unit_price: string;
                    readonly total: string;
                    readonly discount_amount: string;
                    readonly discounts: readonly components["schemas"]["LineDiscount"][];
                    readonly tax_amount: string;
                    readonly slug: string | null;
                    readonly image_url: string | null;
                    readonly add_ons: readonly {
                        readonly id: string;
                        readonly name: string;
                        readonly group_name: string;
                        readonly price: string;
                    }[];
                    readonly contents: readonly {
                        readonly component_id: string;
                        readonly product_id: string | null;
                        readonly name: string;
                        readonly variant_id: string | null;
                        readonly variant_name: string | null;
                        readonly add_on_option_id: string | null;
                        readonly add_on_option_name: string | null;
                        readonly quantity: number;
                        readonly unit_price: string;
                    }[];
                    readonly price_parts: readonly {
                        readonly name: string;
                        readonly amount: string;
                    }[];
                    readonly add_on_options: readonly string[];
                    readonly special_instructions: string | null;
                }[];
                readonly contact?: {
                    readonly name: string | null;
                    readonly email: string | null;
                    readonly phone: string | null;
                    readonly delivery_address: {
                        readonly [key: string]: Record<string, unknown> | readonly unknown[] | string | number | boolean | null;
                    } | null;
                };
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly OrderCancelledEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "order.cancelled";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly order_id: string;
                readonly order_number: string;
                /** @enum {string} */
                readonly status: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled";
                readonly total_price: string;
                readonly currency: string;
                readonly customer_id: string | null;
                readonly item_count: number;
                readonly lines?: readonly {
                    readonly id: string;
                    readonly product_id: string;
                    readonly product_name: string;
                    readonly variant_id: string | null;
                    readonly variant_name: string | null;
                    readonly quantity: number;
                    readonly unit_price: string;
                    readonly total: string;
                    readonly discount_amount: string;
                    readonly discounts: readonly components["schemas"]["LineDiscount"][];
                    readonly tax_amount: string;
                    readonly slug: string | null;
                    readonly image_url: string | null;
                    readonly add_ons: readonly {
                        readonly id: string;
                        readonly name: string;
                        readonly group_name: string;
                        readonly price: string;
                    }[];
                    readonly contents: readonly {
                        readonly component_id: string;
                        readonly product_id: string | null;
                        readonly name: string;
                        readonly variant_id: string | null;
                        readonly variant_name: string | null;
                        readonly add_on_option_id: string | null;
                        readonly add_on_option_name: string | null;
                        readonly quantity: number;
                        readonly unit_price: string;
                    }[];
                    readonly price_parts: readonly {
                        readonly name: string;
                        readonly amount: string;
                    }[];
                    readonly add_on_options: readonly string[];
                    readonly special_instructions: string | null;
                }[];
                readonly contact?: {
                    readonly name: string | null;
                    readonly email: string | null;
                    readonly phone: string | null;
                    readonly delivery_address: {
                        readonly [key: string]: Record<string, unknown> | readonly unknown[] | string | number | boolean | null;
                    } | null;
                };
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly PaymentCompletedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "payment.completed";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly payment_id: string;
                readonly order_id: string;
                readonly payment_reference: string;
                /** @enum {string} */
                readonly payment_status: "pending" | "requires_action" | "processing" | "succeeded" | "failed" | "cancelled" | "refunded" | "partially_refunded";
                readonly amount: string;
                readonly currency: string;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly PaymentFailedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "payment.failed";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly payment_id: string;
                readonly order_id: string;
                readonly payment_reference: string;
                /** @enum {string} */
                readonly payment_status: "pending" | "requires_action" | "processing" | "succeeded" | "failed" | "cancelled" | "refunded" | "partially_refunded";
                readonly amount: string;
                readonly currency: string;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly PaymentRefundedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "payment.refunded";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly payment_id: string;
                readonly order_id: string;
                readonly payment_reference: string;
                /** @enum {string} */
                readonly payment_status: "pending" | "requires_action" | "processing" | "succeeded" | "failed" | "cancelled" | "refunded" | "partially_refunded";
                readonly amount: string;
                readonly currency: string;
                readonly refund_amount: string;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly PaymentDisputedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "payment.disputed";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly payment_id: string;
                readonly order_id: string;
                readonly payment_reference: string;
                /** @enum {string} */
                readonly payment_status: "pending" | "requires_action" | "processing" | "succeeded" | "failed" | "cancelled" | "refunded" | "partially_refunded";
                readonly amount: string;
                readonly currency: string;
                readonly dispute: {
                    /** @enum {string} */
                    readonly status: "needs_response" | "under_review" | "won" | "lost" | "warning_needs_response" | "warning_under_review" | "warning_closed" | "prevented";
                    readonly reason: string;
                    readonly amount: string;
                    readonly currency: string;
                    /** Format: date-time */
                    readonly due_by: string | null;
                    /** Format: date-time */
                    readonly updated_at: string;
                };
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly ShipmentCreatedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "shipment.created";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly order_id: string;
                readonly order_number: string;
                readonly items: readonly {
                    readonly order_item_id: string;
                    readonly quantity: number;
                }[];
                readonly location_id: string;
                readonly carrier: string | null;
                readonly tracking_number: string | null;
                readonly tracking_url: string | null;
                /** @enum {string} */
                readonly status: "label_created" | "shipped" | "in_transit" | "delivered" | "failed" | "returned";
                readonly notify: boolean;
                /** Format: date-time */
                readonly shipped_at: string | null;
                /** Format: date-time */
                readonly delivered_at: string | null;
                /** Format: date-time */
                readonly created_at: string;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly ShipmentUpdatedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "shipment.updated";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly order_id: string;
                readonly order_number: string;
                readonly items: readonly {
                    readonly order_item_id: string;
                    readonly quantity: number;
                }[];
                readonly location_id: string;
                readonly carrier: string | null;
                readonly tracking_number: string | null;
                readonly tracking_url: string | null;
                /** @enum {string} */
                readonly status: "label_created" | "shipped" | "in_transit" | "delivered" | "failed" | "returned";
                readonly notify: boolean;
                /** Format: date-time */
                readonly shipped_at: string | null;
                /** Format: date-time */
                readonly delivered_at: string | null;
                /** Format: date-time */
                readonly created_at: string;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly BookingCreatedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "booking.created";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly order_id: string;
                readonly line_item_id: string;
                readonly service_id: string;
                readonly service_name: string;
                readonly variant_id: string | null;
                readonly staff_id: string | null;
                readonly location_id: string | null;
                /** Format: date-time */
                readonly start_time: string;
                /** Format: date-time */
                readonly end_time: string;
                readonly participant_count: number;
                /** @enum {string} */
                readonly status: "pending" | "confirmed" | "completed" | "cancelled" | "no_show";
                readonly customer_id: string | null;
                /** Format: date-time */
                readonly cancelled_at: string | null;
                readonly cancellation_reason: string | null;
                /** Format: date-time */
                readonly rescheduled_from: string | null;
                /** Format: date-time */
                readonly created_at: string;
                /** Format: date-time */
                readonly updated_at: string;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly BookingRescheduledEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "booking.rescheduled";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly order_id: string;
                readonly line_item_id: string;
                readonly service_id: string;
                readonly service_name: string;
                readonly variant_id: string | null;
                readonly staff_id: string | null;
                readonly location_id: string | null;
                /** Format: date-time */
                readonly start_time: string;
                /** Format: date-time */
                readonly end_time: string;
                readonly participant_count: number;
                /** @enum {string} */
                readonly status: "pending" | "confirmed" | "completed" | "cancelled" | "no_show";
                readonly customer_id: string | null;
                /** Format: date-time */
                readonly cancelled_at: string | null;
                readonly cancellation_reason: string | null;
                /** Format: date-time */
                readonly rescheduled_from: string | null;
                /** Format: date-time */
                readonly created_at: string;
                /** Format: date-time */
                readonly updated_at: string;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly BookingCancelledEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "booking.cancelled";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly order_id: string;
                readonly line_item_id: string;
                readonly service_id: string;
                readonly service_name: string;
                readonly variant_id: string | null;
                readonly staff_id: string | null;
                readonly location_id: string | null;
                /** Format: date-time */
                readonly start_time: string;
                /** Format: date-time */
                readonly end_time: string;
                readonly participant_count: number;
                /** @enum {string} */
                readonly status: "pending" | "confirmed" | "completed" | "cancelled" | "no_show";
                readonly customer_id: string | null;
                /** Format: date-time */
                readonly cancelled_at: string | null;
                readonly cancellation_reason: string | null;
                /** Format: date-time */
                readonly rescheduled_from: string | null;
                /** Format: date-time */
                readonly created_at: string;
                /** Format: date-time */
                readonly updated_at: string;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly SubscriptionRenewedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "subscription.renewed";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly customer_id: string;
                /** @enum {string} */
                readonly status: "trialing" | "active" | "paused" | "past_due" | "cancelled";
                readonly billing_plan_id: string;
                /** Format: date-time */
                readonly current_period_start: string;
                /** Format: date-time */
                readonly current_period_end: string;
                readonly cancel_at_period_end: boolean;
                readonly amount: string;
                readonly currency: string;
                readonly order_id: string | null;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly SubscriptionCancelledEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "subscription.cancelled";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly id: string;
                readonly customer_id: string;
                /** @enum {string} */
                readonly status: "trialing" | "active" | "paused" | "past_due" | "cancelled";
                readonly billing_plan_id: string;
                /** Format: date-time */
                readonly current_period_start: string;
                /** Format: date-time */
                readonly current_period_end: string;
                readonly cancel_at_period_end: boolean;
                readonly amount: string;
                readonly currency: string;
                readonly order_id: string | null;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly InventoryLowStockEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "inventory.low_stock";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly product_id: string;
                readonly variant_id: string | null;
                readonly location_id: string;
                readonly quantity_available: number;
                readonly threshold: number;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly SupportMessageCreatedEvent: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "support.message_created";
            /** @description The object that the event is about: the order, shipment, booking, subscription, product or conversation. */
            readonly subject_id: string;
            /** @description The event's number among all events of subject_id: 1, 2, 3, … */
            readonly sequence: number;
            /** @description The time of the change. */
            readonly occurred_at: string;
            /** @description The same as occurred_at. */
            readonly created_at: string;
            readonly data: {
                readonly conversation_id: string;
                readonly message_id: string;
                /** @enum {string} */
                readonly sender_type: "customer" | "agent";
                readonly content: string | null;
                readonly attachment_count: number;
                readonly customer_id: string | null;
                /** Format: date-time */
                readonly created_at: string;
            };
            /**
             * @description Present only on a test event.
             * @enum {boolean}
             */
            readonly test?: true;
        };
        readonly SupportClientFrame: {
            /** @enum {string} */
            readonly type: "ping";
        } | {
            /** @enum {string} */
            readonly type: "pong";
        } | {
            /** @enum {string} */
            readonly type: "typing";
        } | {
            /** @enum {string} */
            readonly type: "message";
            /** @description 1 to 4,000 characters after trimming. */
            readonly content: string;
            readonly client_id: string;
        };
        readonly SupportServerFrame: {
            /** @enum {string} */
            readonly type: "resync";
            readonly latest_message_at: string | null;
            /** @description Names this socket at a login. */
            readonly socket_id: string;
        } | {
            /** @enum {string} */
            readonly type: "message";
            readonly message: components["schemas"]["Message"];
        } | {
            /** @enum {string} */
            readonly type: "conversation";
            readonly conversation: components["schemas"]["Conversation"];
        } | {
            /** @enum {string} */
            readonly type: "typing";
            /** @enum {string} */
            readonly sender_type: "customer" | "agent" | "system" | "ai";
        } | {
            /** @enum {string} */
            readonly type: "ping";
            readonly at: string;
        } | {
            /** @enum {string} */
            readonly type: "pong";
        } | {
            /** @enum {string} */
            readonly type: "error";
            readonly code: string;
            readonly message: string;
            readonly context?: {
                readonly [key: string]: Record<string, unknown> | readonly unknown[] | string | number | boolean | null;
            };
            /** @description The refused message. Null when the frame was none. */
            readonly client_id: string | null;
        };
        readonly Message: {
            readonly id: string;
            /** @enum {string} */
            readonly sender_type: "customer" | "agent" | "system" | "ai";
            readonly content: string;
            /** @enum {string} */
            readonly content_type: "text";
            readonly attachments: readonly components["schemas"]["Attachment"][];
            readonly metadata: {
                readonly [key: string]: string;
            };
            readonly client_id: string | null;
            readonly created_at: string;
        };
        readonly Attachment: {
            readonly url: string;
            readonly filename: string | null;
            readonly content_type: string | null;
            readonly size_bytes: number | null;
        };
        readonly Conversation: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "open" | "closed";
            readonly ai_enabled: boolean;
            readonly message_count: number;
            readonly created_at: string;
            readonly last_message_at: string | null;
        };
        readonly Appearance: {
            readonly logo_url: string | null;
            readonly accent_color: string | null;
        };
        readonly PublicLocation: {
            readonly id: string;
            readonly name: string;
            readonly address: {
                readonly street_address: string | null;
                readonly city: string | null;
                readonly region: string | null;
                readonly country: string | null;
                readonly postal_code: string | null;
            } | null;
            readonly timezone: string;
            readonly operating_hours: {
                readonly mon?: readonly {
                    readonly open: string;
                    readonly close: string;
                }[];
                readonly tue?: readonly {
                    readonly open: string;
                    readonly close: string;
                }[];
                readonly wed?: readonly {
                    readonly open: string;
                    readonly close: string;
                }[];
                readonly thu?: readonly {
                    readonly open: string;
                    readonly close: string;
                }[];
                readonly fri?: readonly {
                    readonly open: string;
                    readonly close: string;
                }[];
                readonly sat?: readonly {
                    readonly open: string;
                    readonly close: string;
                }[];
                readonly sun?: readonly {
                    readonly open: string;
                    readonly close: string;
                }[];
            };
            readonly is_default: boolean;
            readonly offers_pickup: boolean;
            readonly pickup_instructions: string | null;
        };
        readonly PublicBusiness: {
            readonly id: string;
            readonly name: string;
            readonly slug: string;
            readonly appearance: components["schemas"]["Appearance"];
            readonly currency: string;
            readonly default_country: string;
            readonly timezone: string;
            readonly locations: readonly components["schemas"]["PublicLocation"][];
            readonly payment_methods: readonly ("cash" | "mobile_money" | "card")[];
        };
        readonly HostedShop: {
            readonly public_key: string;
            readonly business: components["schemas"]["PublicBusiness"];
        };
        readonly CreateSessionResult: {
            readonly session_token: string;
            /** @description When the session's token ends. */
            readonly expires_at: string;
        };
        readonly Customer: {
            readonly id: string;
            readonly name: string | null;
            readonly email: string | null;
            readonly phone: string | null;
            readonly pending_email: string | null;
            readonly pending_phone: string | null;
        };
        readonly GetAuthStatusResult: {
            readonly is_authenticated: boolean;
            readonly customer: components["schemas"]["Customer"] | null;
            readonly session_expires_at: string | null;
        };
        readonly RequestOtpRequest: {
            readonly contact: string;
            /** @enum {string|null} */
            readonly contact_type?: "phone" | "email" | null;
        };
        readonly RequestOtpResult: {
            /** @enum {string} */
            readonly delivery_channel: "sms" | "email";
            readonly expires_in_seconds: number;
            readonly next_resend_in_seconds: number;
        };
        readonly VerifyOtpRequest: {
            readonly contact: string;
            /** @enum {string|null} */
            readonly contact_type?: "phone" | "email" | null;
            readonly otp_code: string;
            /** @description The support socket of this browser, which the login keeps open. */
            readonly socket_id?: string | null;
        };
        readonly VerifyOtpResult: {
            readonly customer: components["schemas"]["Customer"];
            readonly session: {
                /** @description When the session's token ends. */
                readonly expires_at: string;
                /** @description The session's new token, for callers that sent no cookie. */
                readonly session_token?: string;
            };
        };
        readonly UpdateProfileRequest: {
            readonly name?: string;
            readonly email?: string;
            readonly phone?: string;
        };
        readonly ProductListEntry: {
            readonly id: string;
            readonly name: string;
            readonly slug: string;
            readonly description: string;
            readonly category_id: string | null;
            readonly image_url: string | null;
            /** @example 12.50 */
            readonly default_price: string;
            /** @example 12.50 */
            readonly compare_at_price: string | null;
            readonly price_range: {
                /** @example 12.50 */
                readonly min: string;
                /** @example 12.50 */
                readonly max: string;
            };
            readonly currency: string;
            /** @enum {string} */
            readonly product_type: "product" | "service" | "bundle" | "composite" | "digital";
            /** @enum {string} */
            readonly inventory_type: "none" | "tracked" | "variant_level";
            readonly in_stock: boolean;
            readonly is_active: boolean;
            readonly featured: boolean;
        };
        readonly Pagination: {
            readonly limit: number;
            /** @description The cursor of the next page. Null on the last page. */
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly ListProductsResult: {
            readonly items: readonly components["schemas"]["ProductListEntry"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly OfferedVariant: components["schemas"]["Variant"] & {
            readonly in_stock: boolean;
        };
        readonly Variant: {
            readonly id: string;
            readonly product_id: string;
            readonly name: string;
            /** @example 12.50 */
            readonly price_adjustment: string;
            /** @example 12.50 */
            readonly compare_at_price: string | null;
            readonly is_default: boolean;
            readonly sku: string | null;
            readonly is_active: boolean;
            readonly axis_values: {
                readonly [key: string]: string;
            };
            readonly duration_minutes: number | null;
            readonly buffer_minutes: number | null;
            readonly capacity: number | null;
            readonly weight_grams: number | null;
        };
        readonly AddOnGroup: {
            readonly id: string;
            readonly name: string;
            /** @enum {string} */
            readonly selection_type: "single" | "multiple";
            readonly is_required: boolean;
            readonly options: readonly {
                readonly id: string;
                readonly name: string;
                /** @example 12.50 */
                readonly price: string;
            }[];
        };
        readonly VariantAxis: {
            readonly name: string;
            readonly label: string;
            readonly values: readonly string[];
        };
        readonly ProductDetail: components["schemas"]["ProductListEntry"] & {
            readonly variants: readonly components["schemas"]["OfferedVariant"][];
            readonly add_ons: readonly components["schemas"]["AddOnGroup"][];
            readonly images: readonly {
                readonly url: string;
                readonly is_primary: boolean;
            }[];
            readonly tags: readonly string[];
            readonly properties: {
                readonly [key: string]: unknown;
            };
            readonly category: {
                readonly id: string;
                readonly name: string;
                readonly slug: string;
            } | null;
            readonly variant_axes: readonly components["schemas"]["VariantAxis"][];
            readonly taxonomy_id: string | null;
            /** @example standard */
            readonly tax_class: string;
            readonly weight_grams: number;
            readonly requires_shipping: boolean;
            readonly created_at: string;
        };
        readonly ListVariantAxesResult: {
            readonly axes: readonly components["schemas"]["VariantAxis"][];
        };
        readonly FindProductVariantRequest: {
            readonly axis_selections: {
                readonly [key: string]: string;
            };
        };
        readonly ScheduleRule: {
            readonly id: string;
            readonly product_id: string;
            readonly location_id: string | null;
            readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            readonly start_time: string;
            readonly end_time: string;
            readonly timezone: string;
            readonly starts_on: string | null;
            readonly ends_on: string | null;
        };
        readonly ScheduledAvailability: {
            readonly is_available: boolean;
            /** @enum {string|null} */
            readonly reason: "OUTSIDE_SCHEDULE" | "OUT_OF_STOCK" | null;
            readonly next_available_at: string | null;
        };
        readonly OfferedBillingPlan: components["schemas"]["BillingPlan"] & {
            readonly products: readonly components["schemas"]["ProductListEntry"][];
        };
        readonly BillingPlan: {
            readonly id: string;
            readonly name: string;
            /** @enum {string} */
            readonly interval: "day" | "week" | "month" | "year";
            readonly interval_count: number;
            /** @example 12.50 */
            readonly price: string;
            readonly currency: string;
            readonly trial_days: number;
            readonly min_quantity: number;
            /** @example 0.00 */
            readonly min_order_value: string;
        };
        readonly Attribute: {
            readonly id: string;
            readonly key: string;
            readonly label: string;
            /** @enum {string} */
            readonly type: "text" | "number" | "boolean" | "select";
            readonly values: readonly string[];
            readonly unit: string | null;
            readonly is_filterable: boolean;
        };
        readonly Category: {
            readonly id: string;
            readonly name: string;
            readonly slug: string;
            readonly parent_id: string | null;
            readonly image_url: string | null;
            readonly product_count: number;
            readonly sort_order: number;
        };
        readonly CategoryDetail: components["schemas"]["Category"] & {
            readonly description: string;
        };
        readonly ListCategoryProductsResult: {
            readonly items: readonly components["schemas"]["ProductListEntry"][];
            readonly pagination: {
                readonly limit: number;
                readonly offset: number;
                readonly total: number;
                readonly has_more: boolean;
            };
        };
        readonly Collection: {
            readonly id: string;
            readonly name: string;
            readonly slug: string;
            readonly image_url: string | null;
            readonly product_count: number;
        };
        readonly CollectionDetail: components["schemas"]["Collection"] & {
            readonly description: string;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
        };
        readonly ValidateDealRequest: {
            readonly discount_code: string;
            /** @example 12.50 */
            readonly order_subtotal: string;
            readonly location_id?: string | null;
        };
        readonly Deal: {
            readonly id: string;
            readonly code: string | null;
            readonly name: string;
            readonly description: string;
            /** @enum {string} */
            readonly discount_type: "percentage" | "fixed_amount" | "free_delivery" | "buy_x_get_y" | "tiered";
            readonly value: string | null;
            readonly buy_quantity: number | null;
            readonly buy_scope: {
                /** @enum {string} */
                readonly scope: "order" | "product" | "category" | "collection";
                readonly ids: readonly string[];
            } | null;
            readonly get_quantity: number | null;
            readonly get_scope: {
                /** @enum {string} */
                readonly scope: "order" | "product" | "category" | "collection";
                readonly ids: readonly string[];
            } | null;
            readonly percent: string | null;
            readonly max_uses_per_order: number | null;
            readonly tiers: readonly {
                readonly min_quantity: number;
                readonly percent: string;
            }[] | null;
            readonly combines_with: readonly ("product" | "order" | "delivery")[] | null;
            readonly min_order_subtotal: string | null;
            readonly max_discount: string | null;
            readonly applies_to: {
                /** @enum {string} */
                readonly scope: "order" | "product" | "category" | "collection";
                readonly ids: readonly string[];
            };
            readonly starts_at: string | null;
            readonly ends_at: string | null;
            readonly usage_limit: number | null;
            readonly times_redeemed: number;
            readonly per_customer_limit: number | null;
            readonly is_active: boolean;
        };
        readonly DealValidation: {
            readonly is_valid: boolean;
            /** @enum {string|null} */
            readonly reason: "COUPON_INVALID" | "COUPON_NOT_STARTED" | "COUPON_EXPIRED" | "COUPON_MIN_NOT_MET" | "COUPON_EXHAUSTED" | "COUPON_LIMIT" | null;
            readonly discount_amount: string | null;
            readonly final_subtotal: string | null;
            readonly requires_cart: boolean;
            readonly deal: components["schemas"]["Deal"] | null;
        };
        readonly BundleListEntry: {
            readonly id: string;
            readonly product_id: string;
            readonly name: string;
            readonly slug: string;
            readonly default_price: string;
            readonly compare_at_price: string | null;
            readonly currency: string;
            readonly image_url: string | null;
        };
        readonly BundleDetail: components["schemas"]["BundleListEntry"] & {
            readonly description: string;
            readonly components: readonly {
                readonly component_id: string;
                readonly name: string;
                readonly product_id: string;
                readonly default_variant_id: string | null;
                readonly quantity: number;
                readonly is_swappable: boolean;
            }[];
        };
        readonly CompositeListEntry: {
            readonly id: string;
            readonly product_id: string;
            readonly name: string;
            readonly base_price: string;
            readonly currency: string;
            readonly image_url: string | null;
        };
        readonly CompositeDetail: components["schemas"]["CompositeListEntry"] & {
            readonly groups: readonly {
                readonly id: string;
                readonly name: string;
                readonly min_selections: number;
                readonly max_selections: number;
                readonly components: readonly {
                    readonly component_id: string;
                    readonly name: string;
                    readonly price: string;
                    readonly product_id: string | null;
                }[];
            }[];
        };
        readonly CalculateCompositePriceRequest: {
            readonly selections: readonly {
                readonly component_id: string;
                readonly quantity: number;
                readonly variant_id?: string | null;
                readonly add_on_option_id?: string | null;
            }[];
            readonly location_id?: string | null;
        };
        readonly CompositePrice: {
            readonly composite_id: string;
            readonly base_price: string;
            readonly components_total: string;
            readonly subtotal: string;
            readonly currency: string;
            readonly is_complete: boolean;
            readonly missing: readonly {
                readonly group_id: string;
                readonly name: string;
                readonly quantity: number;
            }[];
        };
        readonly CreateQuoteRequest: {
            readonly product_id: string;
            readonly variant_id?: string | null;
            /** @default 1 */
            readonly quantity?: number;
            readonly location_id?: string | null;
            /** @default [] */
            readonly add_on_option_ids?: readonly string[] | null;
            /** @default [] */
            readonly bundle_selections?: readonly {
                readonly component_id: string;
                readonly variant_id?: string | null;
                /** @default null */
                readonly quantity?: number | null;
            }[] | null;
            /** @default [] */
            readonly composite_selections?: readonly {
                readonly component_id: string;
                /** @default 1 */
                readonly quantity?: number;
                readonly variant_id?: string | null;
                readonly add_on_option_id?: string | null;
            }[] | null;
        };
        readonly PriceQuote: {
            readonly quote_id: string;
            readonly product_id: string;
            readonly variant_id: string | null;
            readonly location_id: string | null;
            readonly add_on_option_ids: readonly string[];
            readonly bundle_selections: readonly {
                readonly component_id: string;
                readonly variant_id: string | null;
                readonly quantity: number;
                readonly add_on_option_id: string | null;
            }[];
            readonly composite_selections: readonly {
                readonly component_id: string;
                readonly variant_id: string | null;
                readonly quantity: number;
                readonly add_on_option_id: string | null;
            }[];
            readonly unit_price: string;
            readonly parts: readonly {
                readonly name: string;
                readonly amount: string;
            }[];
            readonly quantity: number;
            readonly subtotal: string;
            readonly currency: string;
            readonly expires_at: string;
        };
        readonly RefreshQuoteRequest: {
            readonly product_id?: string;
            readonly variant_id?: string | null;
            readonly quantity?: number;
            readonly location_id?: string | null;
            readonly add_on_option_ids?: readonly string[];
            readonly bundle_selections?: readonly {
                readonly component_id: string;
                readonly variant_id?: string | null;
                /** @default null */
                readonly quantity?: number | null;
            }[];
            readonly composite_selections?: readonly {
                readonly component_id: string;
                /** @default 1 */
                readonly quantity?: number;
                readonly variant_id?: string | null;
                readonly add_on_option_id?: string | null;
            }[];
        };
        readonly Service: {
            readonly id: string;
            readonly name: string;
            readonly description: string;
            /** @example 80.00 */
            readonly price: string;
            readonly compare_at_price: string | null;
            readonly currency: string;
            readonly variants: readonly components["schemas"]["Variant"][];
            readonly product_id: string;
            readonly duration_minutes: number;
            readonly buffer_minutes: number;
            readonly capacity: number;
            readonly slot_interval_minutes: number;
            readonly min_notice_minutes: number;
            readonly booking_window_days: number;
            readonly cancellation_notice_minutes: number;
            readonly require_verified_contact: boolean;
            readonly staff: readonly {
                readonly id: string;
                readonly name: string;
            }[];
            readonly resources: readonly {
                readonly id: string;
                readonly name: string;
                readonly capacity: number;
            }[];
            readonly location_ids: readonly string[];
            readonly timezone: string;
        };
        readonly SlotDay: {
            readonly service_id: string;
            readonly date: string;
            readonly duration_minutes: number;
            readonly slots: readonly {
                readonly start: string;
                readonly end: string;
                readonly is_available: boolean;
                readonly remaining_capacity: number;
            }[];
        };
        readonly SlotCheck: {
            readonly service_id: string;
            readonly slot_time: string;
            readonly duration_minutes: number;
            readonly is_available: boolean;
            readonly remaining_capacity: number;
            /** @enum {string|null} */
            readonly reason: "OUTSIDE_HOURS" | "TOO_SOON" | "TOO_LATE" | "FULLY_BOOKED" | "STAFF_UNAVAILABLE" | null;
        };
        readonly ServiceAvailability: {
            readonly service_id: string;
            readonly start_date: string;
            readonly end_date: string;
            readonly days: {
                readonly [key: string]: {
                    readonly is_available: boolean;
                    readonly available_slots: number;
                };
            };
        };
        readonly Booking: {
            readonly id: string;
            readonly order_id: string;
            readonly line_item_id: string;
            readonly service_id: string;
            readonly service_name: string;
            readonly variant_id: string | null;
            readonly staff_id: string | null;
            readonly location_id: string;
            readonly start_time: string;
            readonly end_time: string;
            readonly participant_count: number;
            /** @enum {string} */
            readonly status: "pending" | "confirmed" | "completed" | "cancelled" | "no_show";
            readonly customer_id: string | null;
            readonly cancelled_at: string | null;
            readonly cancellation_reason: string | null;
            readonly rescheduled_from: string | null;
            readonly changeable_until: string | null;
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly CancelBookingRequest: {
            readonly reason?: string | null;
        };
        readonly RescheduleBookingRequest: {
            readonly order_id: string;
            readonly line_item_id: string;
            /** Format: date-time */
            readonly new_start_time: string;
            /** Format: date-time */
            readonly new_end_time: string;
            readonly new_staff_id?: string | null;
            readonly reason?: string | null;
            /** @enum {string|null} */
            readonly reschedule_type?: "customer" | "business" | "system" | null;
        };
        readonly ProductStock: {
            readonly product_id: string;
            /** @enum {string} */
            readonly inventory_type: "none" | "tracked" | "variant_level";
            readonly quantity_on_hand: number | null;
            readonly quantity_available: number | null;
            readonly locations: readonly {
                readonly location_id: string;
                readonly quantity_on_hand: number;
                readonly quantity_reserved: number;
                readonly quantity_available: number;
            }[];
        };
        readonly VariantStock: {
            readonly variant_id: string;
            /** @enum {string} */
            readonly inventory_type: "none" | "tracked" | "variant_level";
            readonly quantity_on_hand: number | null;
            readonly quantity_available: number | null;
            readonly locations: readonly {
                readonly location_id: string;
                readonly quantity_on_hand: number;
                readonly quantity_reserved: number;
                readonly quantity_available: number;
            }[];
        };
        readonly ProductAvailability: {
            readonly product_id: string;
            readonly is_available: boolean;
            readonly quantity_requested: number;
            readonly quantity_available: number | null;
        };
        readonly VariantAvailability: {
            readonly variant_id: string;
            readonly is_available: boolean;
            readonly quantity_requested: number;
            readonly quantity_available: number | null;
        };
        readonly CartItem: {
            readonly id: string;
            readonly item_id: string;
            readonly name: string;
            readonly variant_id: string | null;
            readonly variant_name: string | null;
            readonly quantity: number;
            readonly unit_price: string;
            readonly compare_at_price: string | null;
            readonly line_total: string;
            readonly discounts: readonly components["schemas"]["LineDiscount"][];
            readonly renewal_price: string | null;
            readonly slug: string | null;
            readonly image_url: string | null;
            readonly add_ons: readonly {
                readonly id: string;
                readonly name: string;
                readonly group_name: string;
                readonly price: string;
            }[];
            readonly contents: readonly {
                readonly component_id: string;
                readonly product_id: string | null;
                readonly name: string;
                readonly variant_id: string | null;
                readonly variant_name: string | null;
                readonly add_on_option_id: string | null;
                readonly add_on_option_name: string | null;
                readonly quantity: number;
                readonly unit_price: string;
            }[];
            readonly price_parts: readonly {
                readonly name: string;
                readonly amount: string;
            }[];
            readonly add_on_options: readonly string[];
            readonly bundle_selections: readonly {
                readonly component_id: string;
                readonly variant_id: string | null;
                readonly quantity: number;
                readonly add_on_option_id: string | null;
            }[];
            readonly composite_selections: readonly {
                readonly component_id: string;
                readonly variant_id: string | null;
                readonly quantity: number;
                readonly add_on_option_id: string | null;
            }[];
            readonly special_instructions: string | null;
            readonly location_id: string | null;
            readonly quote_id: string | null;
            readonly billing_plan_id: string | null;
            readonly billing_plan: {
                readonly name: string;
                /** @enum {string} */
                readonly interval: "day" | "week" | "month" | "year";
                readonly interval_count: number;
                readonly trial_days: number;
            } | null;
            readonly scheduled_start: string | null;
            readonly scheduled_end: string | null;
            readonly staff_id: string | null;
            readonly requires_shipping: boolean;
            readonly hold_expires_at: string | null;
        };
        readonly TaxLine: {
            readonly name: string;
            readonly rate_percent: string;
            readonly taxable_amount: string;
            readonly amount: string;
        };
        readonly CartCoupon: {
            readonly code: string;
            readonly deal_id: string;
            readonly name: string;
            /** @enum {string} */
            readonly discount_type: "percentage" | "fixed_amount" | "free_delivery" | "buy_x_get_y" | "tiered";
            readonly value: string | null;
        };
        readonly CartDelivery: {
            readonly option_id: string;
            /** @enum {string} */
            readonly type: "delivery" | "pickup";
            readonly name: string;
            readonly price: string;
            readonly address: {
                readonly [key: string]: Record<string, unknown> | readonly unknown[] | string | number | boolean | null;
            } | null;
            readonly location_id: string;
        };
        readonly CartNotice: {
            /** @enum {string} */
            readonly code: "COUPON_REMOVED";
            readonly message: string;
            readonly coupon: string;
        } | {
            /** @enum {string} */
            readonly code: "DELIVERY_REMOVED";
            readonly message: string;
            readonly option_id: string;
        };
        readonly Cart: {
            readonly id: string;
            readonly business_id: string;
            readonly items: readonly components["schemas"]["CartItem"][];
            readonly item_count: number;
            readonly pricing: {
                readonly subtotal: string;
                readonly discount_total: string;
                readonly discounts: readonly {
                    readonly deal_id: string;
                    readonly name: string;
                    readonly code: string | null;
                    readonly amount: string;
                }[];
                readonly delivery_total: string;
                readonly tax_total: string;
                readonly tax_lines: readonly components["schemas"]["TaxLine"][];
                readonly total_price: string;
                readonly currency: string;
            };
            /** @description The first of the coupons. */
            readonly coupon: components["schemas"]["CartCoupon"] | null;
            readonly coupons: readonly components["schemas"]["CartCoupon"][];
            readonly delivery: components["schemas"]["CartDelivery"] | null;
            /** @description What the last write has taken out of the cart by itself. */
            readonly notices: readonly components["schemas"]["CartNotice"][];
            readonly updated_at: string;
        };
        readonly AddCartItemRequest: {
            readonly item_id: string;
            /** @default 1 */
            readonly quantity?: number;
            readonly variant_id?: string | null;
            /** @default [] */
            readonly add_on_options?: readonly string[] | null;
            readonly special_instructions?: string | null;
            /** @default [] */
            readonly bundle_selections?: readonly {
                readonly component_id: string;
                readonly variant_id?: string | null;
                /** @default null */
                readonly quantity?: number | null;
            }[] | null;
            /** @default [] */
            readonly composite_selections?: readonly {
                readonly component_id: string;
                /** @default 1 */
                readonly quantity?: number;
                readonly variant_id?: string | null;
                readonly add_on_option_id?: string | null;
            }[] | null;
            /** Format: date-time */
            readonly scheduled_start?: string | null;
            /** Format: date-time */
            readonly scheduled_end?: string | null;
            readonly staff_id?: string | null;
            readonly quote_id?: string | null;
            readonly billing_plan_id?: string | null;
            readonly location_id?: string | null;
        };
        readonly AddCartItemResult: {
            readonly id: string;
            readonly business_id: string;
            readonly items: readonly components["schemas"]["CartItem"][];
            readonly item_count: number;
            readonly pricing: {
                readonly subtotal: string;
                readonly discount_total: string;
                readonly discounts: readonly {
                    readonly deal_id: string;
                    readonly name: string;
                    readonly code: string | null;
                    readonly amount: string;
                }[];
                readonly delivery_total: string;
                readonly tax_total: string;
                readonly tax_lines: readonly components["schemas"]["TaxLine"][];
                readonly total_price: string;
                readonly currency: string;
            };
            /** @description The first of the coupons. */
            readonly coupon: components["schemas"]["CartCoupon"] | null;
            readonly coupons: readonly components["schemas"]["CartCoupon"][];
            readonly delivery: components["schemas"]["CartDelivery"] | null;
            /** @description What the last write has taken out of the cart by itself. */
            readonly notices: readonly components["schemas"]["CartNotice"][];
            readonly updated_at: string;
            readonly item: components["schemas"]["CartItem"];
        };
        readonly UpdateCartItemRequest: {
            readonly quantity: number;
        };
        readonly ApplyCartCouponRequest: {
            readonly coupon_code: string;
        };
        readonly SetCartDeliveryRequest: {
            readonly option_id: string;
            readonly address?: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly DeliveryOption: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "delivery" | "pickup";
            readonly name: string;
            readonly description: string;
            readonly price: string;
            readonly currency: string;
            readonly is_free: boolean;
            readonly min_days: number | null;
            readonly max_days: number | null;
            readonly location_id: string;
            readonly payment_methods: readonly ("cash" | "mobile_money" | "card")[];
        };
        readonly Checkout: {
            readonly cart_id: string;
            readonly customer?: {
                readonly name?: string | null;
                readonly email?: string | null;
                readonly phone?: string | null;
                readonly notes?: string | null;
                readonly save_details?: boolean | null;
            } | null;
            /** @enum {string|null} */
            readonly order_type?: "delivery" | "pickup" | "dine-in" | "walk-in" | null;
            readonly delivery_option_id?: string | null;
            readonly address_info?: {
                readonly [key: string]: unknown;
            } | null;
            /** @enum {string} */
            readonly payment_method: "cash" | "mobile_money" | "card";
            readonly mobile_money_details?: {
                readonly phone_number?: string | null;
                readonly provider?: string | null;
                readonly provider_other?: string | null;
            } | null;
            readonly metadata?: {
                readonly [key: string]: unknown;
            } | null;
            readonly pay_currency?: string | null;
            readonly fx_quote_id?: string | null;
            readonly special_instructions?: string | null;
            readonly idempotency_key?: string | null;
            /** @example 12.50 */
            readonly expected_total?: string | null;
        };
        readonly NextActionNone: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "none";
        };
        readonly NextActionAuthorization: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "authorization";
            /** @enum {string} */
            readonly authorization_type: "otp" | "pin" | "phone" | "birthday" | "address" | "3ds";
            readonly display_text: string;
        };
        readonly NextActionRedirect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "redirect";
            readonly authorization_url: string;
        };
        readonly NextActionAwait: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "await";
            readonly display_text: string;
        };
        readonly NextAction: components["schemas"]["NextActionNone"] | components["schemas"]["NextActionAuthorization"] | components["schemas"]["NextActionRedirect"] | components["schemas"]["NextActionAwait"];
        readonly CheckoutResult: {
            readonly order_id: string;
            readonly order_number: string;
            readonly payment_id: string;
            readonly payment_reference: string;
            /** @enum {string} */
            readonly payment_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
            /** @enum {string} */
            readonly provider_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
            readonly requires_authorization: boolean;
            /** @enum {string|null} */
            readonly authorization_type: "otp" | "pin" | "phone" | "birthday" | "address" | "3ds" | null;
            readonly display_text: string | null;
            readonly provider: string;
            readonly next_action: components["schemas"]["NextAction"];
            readonly fx: {
                readonly quote_id: string;
                readonly rate: string;
                readonly pay_amount: string;
                readonly pay_currency: string;
            } | null;
            readonly bill_token: string;
        };
        readonly AuthorizePaymentRequest: {
            readonly payment_id: string;
            readonly authorization: {
                /** @enum {string} */
                readonly type: "otp" | "pin" | "phone" | "birthday" | "address" | "3ds";
                readonly value: string;
            };
        };
        readonly AuthorizationResult: {
            readonly order_id: string;
            readonly payment_id: string;
            /** @enum {string} */
            readonly payment_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
            /** @enum {string} */
            readonly provider_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
            readonly requires_authorization: boolean;
            readonly next_action: components["schemas"]["NextAction"];
        };
        readonly ReceivePaystackWebhookRequest: {
            /** @example charge.success */
            readonly event: string;
            /** @description The reference of the charge, or of the refunded charge. */
            readonly data: {
                readonly reference?: string;
                readonly transaction_reference?: string;
            };
        };
        readonly ReceiveProviderWebhookRequest: {
            /** @example charge.success */
            readonly event?: string;
            /** @description The event of Stripe. */
            readonly type?: string;
            /** @description The charge, refund or dispute, by Paystack or by Stripe. */
            readonly data: {
                readonly reference?: string;
                readonly transaction_reference?: string;
                readonly object?: {
                    readonly id: string;
                };
            };
        };
        readonly OrderDelivery: {
            /** @enum {string} */
            readonly type: "delivery" | "pickup";
            readonly name: string;
            readonly price: string;
            readonly address: {
                readonly [key: string]: Record<string, unknown> | readonly unknown[] | string | number | boolean | null;
            } | null;
            readonly location_id: string;
            readonly min_days: number | null;
            readonly max_days: number | null;
        };
        readonly Shipment: {
            readonly id: string;
            readonly order_id: string;
            readonly items: readonly {
                readonly order_item_id: string;
                readonly quantity: number;
            }[];
            readonly location_id: string;
            readonly carrier: string | null;
            readonly tracking_number: string | null;
            readonly tracking_url: string | null;
            /** @enum {string} */
            readonly status: "label_created" | "shipped" | "in_transit" | "delivered" | "failed" | "returned";
            readonly shipped_at: string | null;
            readonly delivered_at: string | null;
            readonly created_at: string;
        };
        readonly Order: {
            readonly id: string;
            readonly order_number: string;
            /** @enum {string} */
            readonly status: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled";
            /** @enum {string} */
            readonly order_type: "delivery" | "pickup" | "dine-in" | "walk-in";
            readonly items: readonly {
                readonly id: string;
                readonly product_id: string;
                readonly product_name: string;
                readonly variant_id: string | null;
                readonly variant_name: string | null;
                readonly quantity: number;
                readonly unit_price: string;
                readonly total: string;
                readonly discount_amount: string;
                readonly discounts: readonly components["schemas"]["LineDiscount"][];
                readonly tax_amount: string;
                readonly slug: string | null;
                readonly image_url: string | null;
                readonly add_ons: readonly {
                    readonly id: string;
                    readonly name: string;
                    readonly group_name: string;
                    readonly price: string;
                }[];
                readonly contents: readonly {
                    readonly component_id: string;
                    readonly product_id: string | null;
                    readonly name: string;
                    readonly variant_id: string | null;
                    readonly variant_name: string | null;
                    readonly add_on_option_id: string | null;
                    readonly add_on_option_name: string | null;
                    readonly quantity: number;
                    readonly unit_price: string;
                }[];
                readonly price_parts: readonly {
                    readonly name: string;
                    readonly amount: string;
                }[];
                readonly add_on_options: readonly string[];
                readonly special_instructions: string | null;
            }[];
            readonly subtotal: string;
            readonly discount_total: string;
            readonly discounts: readonly {
                readonly deal_id: string;
                readonly name: string;
                readonly code: string | null;
                readonly amount: string;
            }[];
            readonly delivery_total: string;
            readonly delivery: components["schemas"]["OrderDelivery"] | null;
            readonly tax_amount: string;
            readonly tax_total: string;
            readonly tax_lines: readonly components["schemas"]["TaxLine"][];
            readonly total_price: string;
            readonly currency: string;
            readonly customer_id: string | null;
            readonly customer_name: string | null;
            readonly payment_status: string;
            readonly payment_method: string;
            readonly location_id: string;
            readonly address_info: {
                readonly [key: string]: Record<string, unknown> | readonly unknown[] | string | number | boolean | null;
            } | null;
            readonly special_instructions: string | null;
            readonly bookings: readonly components["schemas"]["Booking"][];
            /** @enum {string} */
            readonly fulfilment_status: "unfulfilled" | "partially_fulfilled" | "fulfilled" | "not_required";
            readonly shipments: readonly components["schemas"]["Shipment"][];
            readonly status_history: readonly {
                /** @enum {string} */
                readonly status: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled";
                readonly at: string;
                readonly by: string;
            }[];
            readonly created_at: string;
            readonly updated_at: string;
            readonly cancelled_at: string | null;
            readonly cancellation_reason: string | null;
        };
        readonly PaymentStatus: {
            readonly order_id: string;
            readonly payment_status: string;
            /** @enum {string} */
            readonly provider_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
            readonly payment_reference: string;
            readonly amount: string;
            readonly currency: string;
            readonly settled_at: string | null;
            readonly payment_id: string;
            readonly next_action: components["schemas"]["NextAction"];
            readonly payment_methods: readonly ("cash" | "mobile_money" | "card")[];
        };
        readonly CancelOrderRequest: {
            readonly reason?: string | null;
        };
        readonly AttachOrderCustomerRequest: {
            readonly customer_id: string;
        };
        readonly PayOrder: {
            /** @enum {string} */
            readonly payment_method: "cash" | "mobile_money" | "card";
            readonly mobile_money_details?: {
                readonly phone_number?: string | null;
                readonly provider?: string | null;
                readonly provider_other?: string | null;
            } | null;
            readonly metadata?: {
                readonly [key: string]: unknown;
            } | null;
            readonly pay_currency?: string | null;
            readonly fx_quote_id?: string | null;
        };
        readonly PayOrderResult: {
            readonly order_id: string;
            readonly order_number: string;
            readonly payment_id: string;
            readonly payment_reference: string;
            /** @enum {string} */
            readonly payment_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
            /** @enum {string} */
            readonly provider_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
            readonly requires_authorization: boolean;
            /** @enum {string|null} */
            readonly authorization_type: "otp" | "pin" | "phone" | "birthday" | "address" | "3ds" | null;
            readonly display_text: string | null;
            readonly provider: string;
            readonly next_action: components["schemas"]["NextAction"];
            readonly fx: {
                readonly quote_id: string;
                readonly rate: string;
                readonly pay_amount: string;
                readonly pay_currency: string;
            } | null;
            readonly bill_token: null;
        };
        readonly SubscriptionListEntry: components["schemas"]["Subscription"] & {
            readonly plan: {
                readonly id: string;
                readonly name: string;
                /** @enum {string} */
                readonly interval: "day" | "week" | "month" | "year";
                readonly interval_count: number;
                readonly trial_days: number;
            };
            readonly items: readonly {
                readonly product_id: string;
                readonly product_name: string;
                readonly variant_id: string | null;
                readonly variant_name: string | null;
                readonly quantity: number;
                readonly unit_price: string;
            }[];
        };
        readonly Subscription: {
            readonly id: string;
            readonly customer_id: string;
            /** @enum {string} */
            readonly status: "trialing" | "active" | "paused" | "past_due" | "cancelled";
            readonly billing_plan_id: string;
            readonly current_period_start: string;
            readonly current_period_end: string;
            readonly cancel_at_period_end: boolean;
            /** @example 12.50 */
            readonly amount: string;
            readonly currency: string;
            readonly trial_ends_at: string | null;
            readonly order_id: string;
            readonly created_at: string;
            readonly cancelled_at: string | null;
            readonly cancellation_reason: string | null;
        };
        readonly SubscriptionDetail: {
            readonly subscription: components["schemas"]["Subscription"];
            readonly plan: {
                readonly id: string;
                readonly name: string;
                /** @enum {string} */
                readonly interval: "day" | "week" | "month" | "year";
                readonly interval_count: number;
                readonly trial_days: number;
            };
            readonly items: readonly {
                readonly product_id: string;
                readonly product_name: string;
                readonly variant_id: string | null;
                readonly variant_name: string | null;
                readonly quantity: number;
                readonly unit_price: string;
            }[];
            readonly next_invoice: {
                readonly scheduled_at: string;
                readonly amount_due: string;
            } | null;
            readonly recent_invoices: readonly {
                readonly id: string;
                readonly order_id: string;
                /** @enum {string} */
                readonly status: "open" | "paid" | "void";
                readonly amount_due: string;
                readonly currency: string;
                readonly period_start: string;
                readonly period_end: string;
                readonly created_at: string;
                readonly paid_at: string | null;
            }[];
        };
        readonly CancelSubscriptionRequest: {
            readonly reason?: string | null;
        };
        readonly SetSubscriptionPaymentMethodRequest: {
            /** @enum {string} */
            readonly payment_method: "cash" | "mobile_money" | "card";
            readonly mobile_money_details?: {
                readonly phone_number?: string | null;
                readonly provider?: string | null;
                readonly provider_other?: string | null;
            } | null;
            readonly metadata?: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly ChangedPaymentMethod: {
            readonly id: string;
            readonly customer_id: string;
            /** @enum {string} */
            readonly status: "trialing" | "active" | "paused" | "past_due" | "cancelled";
            readonly billing_plan_id: string;
            readonly current_period_start: string;
            readonly current_period_end: string;
            readonly cancel_at_period_end: boolean;
            /** @example 12.50 */
            readonly amount: string;
            readonly currency: string;
            readonly trial_ends_at: string | null;
            readonly order_id: string;
            readonly created_at: string;
            readonly cancelled_at: string | null;
            readonly cancellation_reason: string | null;
            readonly payment: {
                readonly order_id: string;
                readonly payment_status: string;
                /** @enum {string} */
                readonly provider_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
                readonly payment_reference: string;
                readonly amount: string;
                readonly currency: string;
                readonly settled_at: string | null;
                readonly payment_id: string;
                readonly next_action: components["schemas"]["NextAction"];
                readonly payment_methods: readonly ("cash" | "mobile_money" | "card")[];
            } | null;
        };
        readonly OpenConversationResult: {
            readonly conversation: components["schemas"]["Conversation"];
            readonly messages: readonly components["schemas"]["Message"][];
        };
        readonly SendConversationMessageRequest: {
            /** @description 1 to 4,000 characters after trimming. */
            readonly content: string;
            readonly client_id: string;
        };
        readonly RecordActivityEventsRequest: {
            readonly events: readonly ({
                /** @enum {string} */
                readonly type: "product_view";
                readonly product_id: string;
                readonly product_name?: string | null;
                readonly category_id?: string | null;
                readonly price?: number | null;
                readonly page_path?: string | null;
            } | {
                /** @enum {string} */
                readonly type: "category_view";
                readonly category_id: string;
            } | {
                /** @enum {string} */
                readonly type: "search";
                readonly query: string;
                readonly result_count?: number | null;
            } | {
                /** @enum {string} */
                readonly type: "cart_add" | "cart_remove";
                readonly product_id: string;
                /** @default 1 */
                readonly quantity?: number;
            })[];
            readonly website_id?: string | null;
            readonly domain?: string | null;
        };
        /** @enum {string} */
        readonly Intent: "baseline" | "considering" | "ready_to_buy";
        readonly ActivityMessage: {
            readonly code: string;
            readonly title: string;
            /** @enum {string} */
            readonly severity: "info" | "warning";
        };
        readonly RecordActivityEventsResult: {
            readonly processed: number;
            readonly intent: components["schemas"]["Intent"];
            readonly messages: readonly components["schemas"]["ActivityMessage"][];
        };
        readonly Activity: {
            readonly viewed_products: readonly {
                readonly product_id: string;
                readonly count: number;
            }[];
            readonly viewed_categories: readonly {
                readonly category_id: string;
                readonly count: number;
            }[];
            readonly search_count: number;
        };
        readonly Incentive: {
            readonly template_id: string;
            readonly agent_id: string;
        };
        readonly ActivityState: {
            readonly activity: components["schemas"]["Activity"] | null;
            readonly intent: components["schemas"]["Intent"];
            readonly messages: readonly components["schemas"]["ActivityMessage"][];
            readonly incentive: components["schemas"]["Incentive"] | null;
        };
        readonly Recommendations: {
            readonly recommendations: readonly {
                readonly product: {
                    readonly id: string;
                    readonly name: string;
                };
                readonly reason: string;
            }[];
            readonly intent: components["schemas"]["Intent"];
            readonly incentive: components["schemas"]["Incentive"] | null;
        };
        readonly DismissActivityMessageRequest: {
            readonly code: string;
        };
        readonly DismissActivityMessageResult: {
            readonly dismissed: string;
            readonly messages: readonly components["schemas"]["ActivityMessage"][];
        };
        readonly FxRate: {
            readonly from: string;
            readonly to: string;
            readonly rate: string;
            readonly as_of: string;
            readonly source: string;
        };
        readonly CreateFxQuoteRequest: {
            readonly from: string;
            readonly to: string;
            /** @example 12.50 */
            readonly amount: string;
        };
        readonly FxQuote: {
            readonly quote_id: string;
            readonly from: string;
            readonly to: string;
            readonly amount: string;
            readonly rate: string;
            readonly converted_amount: string;
            readonly expires_at: string;
        };
        readonly AutocompletePlacesRequest: {
            readonly input: string;
            readonly sessionToken?: string | null;
        };
        readonly Predictions: {
            readonly predictions: readonly {
                readonly place_id: string;
                readonly description: string;
                readonly main_text: string;
                readonly secondary_text: string;
            }[];
        };
        readonly GetPlaceRequest: {
            readonly place_id: string;
            readonly sessionToken?: string | null;
        };
        readonly PlaceDetails: {
            readonly place_id: string;
            readonly formatted_address: string;
            readonly components: {
                readonly street_address: string | null;
                readonly city: string | null;
                readonly region: string | null;
                readonly country: string | null;
                readonly postal_code: string | null;
            };
            readonly location: {
                readonly lat: number;
                readonly lng: number;
            };
            readonly viewport: {
                readonly low: {
                    readonly lat: number;
                    readonly lng: number;
                };
                readonly high: {
                    readonly lat: number;
                    readonly lng: number;
                };
            } | null;
        };
        readonly StartUploadRequest: {
            readonly filename: string;
            readonly content_type: string;
            readonly size_bytes: number;
        };
        readonly StartUploadResult: {
            readonly data: {
                readonly upload_id: string;
                readonly upload_url: string;
                readonly expires_in_secs: number;
            };
        };
        readonly ConfirmUploadRequest: {
            readonly upload_id: string;
        };
        readonly File: {
            readonly id: string;
            readonly url: string;
            readonly filename: string;
            readonly content_type: string;
            readonly size_bytes: number;
        };
        readonly ConfirmUploadResult: {
            readonly data: components["schemas"]["File"];
        };
        /** @enum {string} */
        readonly EventName: "order.created" | "order.updated" | "order.completed" | "order.cancelled" | "payment.completed" | "payment.failed" | "payment.refunded" | "payment.disputed" | "shipment.created" | "shipment.updated" | "booking.created" | "booking.rescheduled" | "booking.cancelled" | "subscription.renewed" | "subscription.cancelled" | "inventory.low_stock" | "support.message_created";
        readonly CreateWebhookRequest: {
            /** @example https://shop.example.com/hooks/duka */
            readonly url: string;
            readonly events: readonly components["schemas"]["EventName"][];
            /** @default null */
            readonly description?: string | null;
            /**
             * @default compact
             * @enum {string}
             */
            readonly payload?: "compact" | "full";
        };
        readonly WebhookWithSecret: components["schemas"]["Webhook"] & {
            /** @description The signing secret: whsec_ and base64. It is returned only here. */
            readonly secret: string;
        };
        readonly Webhook: {
            readonly id: string;
            readonly url: string;
            readonly events: readonly components["schemas"]["EventName"][];
            readonly description: string | null;
            /**
             * @description full: order events also have the order's lines and contact.
             * @enum {string}
             */
            readonly payload: "compact" | "full";
            /**
             * @description disabled: by the merchant, or after all retries of 20 events in a row failed.
             * @enum {string}
             */
            readonly status: "active" | "disabled";
            readonly created_at: string;
            /** @description true: the service has replaced the key from which the secret derives, and will stop signing with the secret. Call rotate-secret. */
            readonly secret_outdated: boolean;
        };
        readonly DeleteWebhookResult: {
            readonly id: string;
            /** @enum {boolean} */
            readonly deleted: true;
        };
        readonly UpdateWebhookRequest: {
            /** @example https://shop.example.com/hooks/duka */
            readonly url?: string;
            readonly events?: readonly components["schemas"]["EventName"][];
            readonly description?: string | null;
            /** @enum {string} */
            readonly payload?: "compact" | "full";
            /** @enum {string} */
            readonly status?: "active" | "disabled";
        };
        readonly WebhookDelivery: {
            readonly id: string;
            readonly event_id: string;
            readonly event_type: components["schemas"]["EventName"];
            /** @description Whether this is a test event. */
            readonly is_test: boolean;
            /**
             * @description failed: the last attempt failed and is retried at next_attempt_at. exhausted: all retries failed.
             * @enum {string}
             */
            readonly status: "pending" | "delivered" | "failed" | "exhausted";
            readonly attempts: readonly {
                readonly number: number;
                readonly status_code: number | null;
                readonly error: string | null;
                readonly duration_ms: number;
                readonly at: string;
            }[];
            readonly next_attempt_at: string | null;
            readonly created_at: string;
        };
        readonly ListWebhookDeliveriesResult: {
            readonly items: readonly components["schemas"]["WebhookDelivery"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    readonly getBusiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["PublicBusiness"];
                    };
                };
            };
        };
    };
    readonly getShop: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The slug or the id of a business. */
                readonly shop: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["HostedShop"];
                    };
                };
            };
        };
    };
    readonly createSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CreateSessionResult"];
                    };
                };
            };
        };
    };
    readonly getAuthStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["GetAuthStatusResult"];
                    };
                };
            };
        };
    };
    readonly requestOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RequestOtpRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["RequestOtpResult"];
                    };
                };
            };
        };
    };
    readonly verifyOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["VerifyOtpRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["VerifyOtpResult"];
                    };
                };
            };
        };
    };
    readonly logOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: null;
                    };
                };
            };
        };
    };
    readonly updateProfile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateProfileRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Customer"];
                    };
                };
            };
        };
    };
    readonly listProducts: {
        readonly parameters: {
            readonly query?: {
                /** @description Only what belongs to the category of this id. */
                readonly category_id?: string;
                /** @description The slug of a category. Products of its subcategories count too. */
                readonly category_slug?: string;
                /** @description The id of a category or a collection. */
                readonly taxonomy_id?: string;
                /** @description Words that the records contain. */
                readonly search?: string;
                /** @description Only products with these tags, separated by commas. */
                readonly tags?: string;
                /** @description Only products that are featured, or that are not. */
                readonly featured?: boolean;
                /** @description Only products that are in stock, or that are not. */
                readonly in_stock?: boolean;
                /** @description The lowest price. */
                readonly min_price?: number;
                /** @description The highest price. */
                readonly max_price?: number;
                /** @description Attributes with their values, as JSON. */
                readonly properties?: string;
                /** @description What the list is sorted by. */
                readonly sort_by?: "name" | "price" | "created_at" | "popularity";
                /** @description The direction of the list. */
                readonly sort_order?: "asc" | "desc";
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The number of the page, from 1. */
                readonly page?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ListProductsResult"];
                    };
                };
            };
        };
    };
    readonly getProduct: {
        readonly parameters: {
            readonly query?: {
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ProductDetail"];
                    };
                };
            };
        };
    };
    readonly listProductVariants: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["OfferedVariant"][];
                    };
                };
            };
        };
    };
    readonly listVariantAxes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ListVariantAxesResult"];
                    };
                };
            };
        };
    };
    readonly getProductVariant: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
                /** @description The id of the variant. */
                readonly variant_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["OfferedVariant"];
                    };
                };
            };
        };
    };
    readonly findProductVariant: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FindProductVariantRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["OfferedVariant"];
                    };
                };
            };
        };
    };
    readonly listProductSchedules: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["ScheduleRule"][];
                    };
                };
            };
        };
    };
    readonly checkProductAvailableNow: {
        readonly parameters: {
            readonly query: {
                /** @description Only what belongs to the location of this id. */
                readonly location_id: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ScheduledAvailability"];
                    };
                };
            };
        };
    };
    readonly listBillingPlans: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["OfferedBillingPlan"][];
                    };
                };
            };
        };
    };
    readonly listEligibleBillingPlans: {
        readonly parameters: {
            readonly query?: {
                /** @description How many units. */
                readonly quantity?: number;
                /** @description The value of the order, which a plan's minimum is compared with. */
                readonly order_value?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["BillingPlan"][];
                    };
                };
            };
        };
    };
    readonly listCategoryAttributes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the category. */
                readonly category_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Attribute"][];
                    };
                };
            };
        };
    };
    readonly listCollectionAttributes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the collection. */
                readonly collection_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Attribute"][];
                    };
                };
            };
        };
    };
    readonly listCategories: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Category"][];
                    };
                };
            };
        };
    };
    readonly getCategory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the category. */
                readonly category_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CategoryDetail"];
                    };
                };
            };
        };
    };
    readonly listCategoryProducts: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description How many records to leave out. */
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the category. */
                readonly category_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ListCategoryProductsResult"];
                    };
                };
            };
        };
    };
    readonly listCollections: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Words that the records contain. */
                readonly search?: string;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Collection"][];
                    };
                };
            };
        };
    };
    readonly getCollection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the collection. */
                readonly collection_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CollectionDetail"];
                    };
                };
            };
        };
    };
    readonly listCollectionProducts: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description How many records to leave out. */
                readonly offset?: number;
                /** @description The number of the page, from 1. */
                readonly page?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the collection. */
                readonly collection_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ListCategoryProductsResult"];
                    };
                };
            };
        };
    };
    readonly validateDeal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ValidateDealRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["DealValidation"];
                    };
                };
            };
        };
    };
    readonly listCategoryDeals: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the category. */
                readonly category_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Deal"][];
                    };
                };
            };
        };
    };
    readonly listCollectionDeals: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the collection. */
                readonly collection_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Deal"][];
                    };
                };
            };
        };
    };
    readonly listBundles: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Words that the records contain. */
                readonly search?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["BundleListEntry"][];
                    };
                };
            };
        };
    };
    readonly getBundle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the bundle. */
                readonly bundle_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["BundleDetail"];
                    };
                };
            };
        };
    };
    readonly getProductBundle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["BundleDetail"];
                    };
                };
            };
        };
    };
    readonly listComposites: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["CompositeListEntry"][];
                    };
                };
            };
        };
    };
    readonly getComposite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the composite. */
                readonly composite_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CompositeDetail"];
                    };
                };
            };
        };
    };
    readonly getProductComposite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CompositeDetail"];
                    };
                };
            };
        };
    };
    readonly calculateCompositePrice: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the composite. */
                readonly composite_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CalculateCompositePriceRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CompositePrice"];
                    };
                };
            };
        };
    };
    readonly createQuote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateQuoteRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["PriceQuote"];
                    };
                };
            };
        };
    };
    readonly getQuote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the quote. */
                readonly quote_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["PriceQuote"];
                    };
                };
            };
        };
    };
    readonly refreshQuote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the quote. */
                readonly quote_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RefreshQuoteRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["PriceQuote"];
                    };
                };
            };
        };
    };
    readonly listServices: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Service"][];
                    };
                };
            };
        };
    };
    readonly getService: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the service. */
                readonly service_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Service"];
                    };
                };
            };
        };
    };
    readonly listSlots: {
        readonly parameters: {
            readonly query: {
                /** @description Only what belongs to the service of this id. */
                readonly service_id: string;
                /** @description Only what belongs to the variant of this id. */
                readonly variant_id?: string;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description Only what belongs to the staff of this id. */
                readonly staff_id?: string;
                /** @description How many people the slot is for. */
                readonly participant_count?: number;
                /** @description The day, in the time zone of the location. */
                readonly date: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["SlotDay"];
                    };
                };
            };
        };
    };
    readonly checkSlot: {
        readonly parameters: {
            readonly query: {
                /** @description Only what belongs to the service of this id. */
                readonly service_id: string;
                /** @description Only what belongs to the variant of this id. */
                readonly variant_id?: string;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description Only what belongs to the staff of this id. */
                readonly staff_id?: string;
                /** @description How many people the slot is for. */
                readonly participant_count?: number;
                /** @description When the slot starts. */
                readonly slot_time: string;
                /** @description The length of the slot. Left out, it is the service's own. */
                readonly duration_minutes?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["SlotCheck"];
                    };
                };
            };
        };
    };
    readonly listAvailableDays: {
        readonly parameters: {
            readonly query: {
                /** @description Only what belongs to the service of this id. */
                readonly service_id: string;
                /** @description Only what belongs to the variant of this id. */
                readonly variant_id?: string;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description Only what belongs to the staff of this id. */
                readonly staff_id?: string;
                /** @description How many people the slot is for. */
                readonly participant_count?: number;
                /** @description The first day. */
                readonly start_date: string;
                /** @description The last day. */
                readonly end_date: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ServiceAvailability"];
                    };
                };
            };
        };
    };
    readonly listBookings: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Only bookings that are to come, or that are over. */
                readonly when?: "upcoming" | "past";
                /** @description How many records to leave out. */
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Booking"][];
                    };
                };
            };
        };
    };
    readonly getBooking: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the booking. */
                readonly booking_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Booking"];
                    };
                };
            };
        };
    };
    readonly cancelBooking: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the booking. */
                readonly booking_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CancelBookingRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Booking"];
                    };
                };
            };
        };
    };
    readonly rescheduleBooking: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RescheduleBookingRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Booking"];
                    };
                };
            };
        };
    };
    readonly getProductStock: {
        readonly parameters: {
            readonly query?: {
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ProductStock"];
                    };
                };
            };
        };
    };
    readonly getVariantStock: {
        readonly parameters: {
            readonly query?: {
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the variant. */
                readonly variant_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["VariantStock"];
                    };
                };
            };
        };
    };
    readonly checkProductAvailability: {
        readonly parameters: {
            readonly query: {
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description How many units. */
                readonly quantity: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ProductAvailability"];
                    };
                };
            };
        };
    };
    readonly checkVariantAvailability: {
        readonly parameters: {
            readonly query: {
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description How many units. */
                readonly quantity: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the variant. */
                readonly variant_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["VariantAvailability"];
                    };
                };
            };
        };
    };
    readonly getCart: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly clearCart: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly listCartItems: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["CartItem"][];
                    };
                };
            };
        };
    };
    readonly addCartItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddCartItemRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["AddCartItemResult"];
                    };
                };
            };
        };
    };
    readonly removeCartItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the cart item. */
                readonly cart_item_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly updateCartItem: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the cart item. */
                readonly cart_item_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateCartItemRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly applyCartCoupon: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApplyCartCouponRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly removeCartCoupon: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly removeCartCouponByCode: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The code, in any case. */
                readonly coupon_code: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly setCartDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SetCartDeliveryRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly removeCartDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly countCartItems: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: number;
                    };
                };
            };
        };
    };
    readonly getCartTotal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: string;
                    };
                };
            };
        };
    };
    readonly listDeliveryOptions: {
        readonly parameters: {
            readonly query?: {
                /** @description The country of the address, by its ISO 3166 code. */
                readonly country?: string;
                /** @description The region of the address. */
                readonly region?: string;
                /** @description The city of the address. */
                readonly city?: string;
                /** @description The postal code of the address. */
                readonly postal_code?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["DeliveryOption"][];
                    };
                };
            };
        };
    };
    readonly placeOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Checkout"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CheckoutResult"];
                    };
                };
            };
        };
    };
    readonly authorizePayment: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AuthorizePaymentRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["AuthorizationResult"];
                    };
                };
            };
        };
    };
    readonly receivePaystackWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ReceivePaystackWebhookRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: null;
                    };
                };
            };
        };
    };
    readonly receiveProviderWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description `stripe` or `paystack`. */
                readonly provider: string;
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ReceiveProviderWebhookRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: null;
                    };
                };
            };
        };
    };
    readonly listOrders: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Only records with this status. */
                readonly status?: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled";
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description How many records to leave out. */
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Order"][];
                    };
                };
            };
        };
    };
    readonly getOrder: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Order"];
                    };
                };
            };
        };
    };
    readonly getOrderPaymentStatus: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["PaymentStatus"];
                    };
                };
            };
        };
    };
    readonly cancelOrder: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CancelOrderRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Order"];
                    };
                };
            };
        };
    };
    readonly attachOrderCustomer: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AttachOrderCustomerRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Order"];
                    };
                };
            };
        };
    };
    readonly verifyOrderPayment: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["PaymentStatus"];
                    };
                };
            };
        };
    };
    readonly payOrder: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PayOrder"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["PayOrderResult"];
                    };
                };
            };
        };
    };
    readonly reopenOrderCart: {
        readonly parameters: {
            readonly query?: {
                /** @description A token of the order, for callers without the session that placed it. */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Cart"];
                    };
                };
            };
        };
    };
    readonly listSubscriptions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["SubscriptionListEntry"][];
                    };
                };
            };
        };
    };
    readonly getSubscription: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the subscription. */
                readonly subscription_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["SubscriptionDetail"];
                    };
                };
            };
        };
    };
    readonly cancelSubscription: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the subscription. */
                readonly subscription_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CancelSubscriptionRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: null;
                    };
                };
            };
        };
    };
    readonly pauseSubscription: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the subscription. */
                readonly subscription_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Subscription"];
                    };
                };
            };
        };
    };
    readonly resumeSubscription: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the subscription. */
                readonly subscription_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Subscription"];
                    };
                };
            };
        };
    };
    readonly setSubscriptionPaymentMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the subscription. */
                readonly subscription_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SetSubscriptionPaymentMethodRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ChangedPaymentMethod"];
                    };
                };
            };
        };
    };
    readonly skipSubscriptionRenewal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the subscription. */
                readonly subscription_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Subscription"];
                    };
                };
            };
        };
    };
    readonly openConversation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["OpenConversationResult"];
                    };
                };
            };
        };
    };
    readonly listConversationMessages: {
        readonly parameters: {
            readonly query?: {
                /** @description Only what came after this time. */
                readonly after?: string;
                /** @description The most records of one page. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Message"][];
                    };
                };
            };
        };
    };
    readonly sendConversationMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SendConversationMessageRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Message"];
                    };
                };
            };
        };
    };
    readonly connectConversation: {
        readonly parameters: {
            readonly query?: {
                /** @description The publishable key, for clients that cannot set headers. */
                readonly public_key?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: never;
    };
    readonly recordActivityEvents: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RecordActivityEventsRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["RecordActivityEventsResult"];
                    };
                };
            };
        };
    };
    readonly getActivityState: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ActivityState"];
                    };
                };
            };
        };
    };
    readonly listRecommendations: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Recommendations"];
                    };
                };
            };
        };
    };
    readonly dismissActivityMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DismissActivityMessageRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["DismissActivityMessageResult"];
                    };
                };
            };
        };
    };
    readonly getFxRate: {
        readonly parameters: {
            readonly query: {
                /** @description The beginning, as an instant or a day. In an exchange rate, the currency to change from. */
                readonly from: string;
                /** @description The end, as an instant or a day. In an exchange rate, the currency to change to. */
                readonly to: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["FxRate"];
                    };
                };
            };
        };
    };
    readonly createFxQuote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateFxQuoteRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["FxQuote"];
                    };
                };
            };
        };
    };
    readonly autocompletePlaces: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AutocompletePlacesRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Predictions"];
                    };
                };
            };
        };
    };
    readonly getPlace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetPlaceRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["PlaceDetails"];
                    };
                };
            };
        };
    };
    readonly startUpload: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["StartUploadRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StartUploadResult"];
                };
            };
        };
    };
    readonly confirmUpload: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ConfirmUploadRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConfirmUploadResult"];
                };
            };
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["Webhook"][];
                    };
                };
            };
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["DeleteWebhookResult"];
                    };
                };
            };
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    readonly rotateWebhookSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
        };
    };
    readonly testWebhook: {
        readonly parameters: {
            readonly query?: {
                /** @description The event type. The default is the webhook's first one. */
                readonly event?: components["schemas"]["EventName"];
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the webhook. */
                readonly webhook_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ListWebhookDeliveriesResult"];
                    };
                };
            };
        };
    };
    readonly retryWebhookDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the delivery. */
                readonly delivery_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    readonly onOrderCreated: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "order.created",
                 *       "subject_id": "ord_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "ord_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "order_number": "ORD-1001",
                 *         "status": "pending",
                 *         "total_price": "25.00",
                 *         "currency": "GHS",
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "item_count": 2
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["OrderCreatedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onOrderUpdated: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "order.updated",
                 *       "subject_id": "ord_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "ord_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "order_number": "ORD-1001",
                 *         "status": "confirmed",
                 *         "total_price": "25.00",
                 *         "currency": "GHS",
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "item_count": 2
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["OrderUpdatedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onOrderCompleted: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "order.completed",
                 *       "subject_id": "ord_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "ord_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "order_number": "ORD-1001",
                 *         "status": "completed",
                 *         "total_price": "25.00",
                 *         "currency": "GHS",
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "item_count": 2
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["OrderCompletedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onOrderCancelled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "order.cancelled",
                 *       "subject_id": "ord_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "ord_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "order_number": "ORD-1001",
                 *         "status": "cancelled",
                 *         "total_price": "25.00",
                 *         "currency": "GHS",
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "item_count": 2
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["OrderCancelledEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onPaymentCompleted: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "payment.completed",
                 *       "subject_id": "ord_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "payment_id": "pt_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "payment_reference": "ref_00000000000000000000000000",
                 *         "payment_status": "succeeded",
                 *         "amount": "25.00",
                 *         "currency": "GHS"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["PaymentCompletedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onPaymentFailed: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "payment.failed",
                 *       "subject_id": "ord_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "payment_id": "pt_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "payment_reference": "ref_00000000000000000000000000",
                 *         "payment_status": "failed",
                 *         "amount": "25.00",
                 *         "currency": "GHS"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["PaymentFailedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onPaymentRefunded: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "payment.refunded",
                 *       "subject_id": "ord_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "payment_id": "pt_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "payment_reference": "ref_00000000000000000000000000",
                 *         "payment_status": "partially_refunded",
                 *         "amount": "25.00",
                 *         "currency": "GHS",
                 *         "refund_amount": "10.00"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["PaymentRefundedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onPaymentDisputed: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "payment.disputed",
                 *       "subject_id": "ord_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "payment_id": "pt_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "payment_reference": "ref_00000000000000000000000000",
                 *         "payment_status": "succeeded",
                 *         "amount": "25.00",
                 *         "currency": "GHS",
                 *         "dispute": {
                 *           "status": "needs_response",
                 *           "reason": "fraudulent",
                 *           "amount": "25.00",
                 *           "currency": "GHS",
                 *           "due_by": "2026-01-15T23:59:00.000Z",
                 *           "updated_at": "2026-01-15T08:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["PaymentDisputedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onShipmentCreated: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "shipment.created",
                 *       "subject_id": "shp_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "shp_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "order_number": "ORD-1001",
                 *         "items": [
                 *           {
                 *             "order_item_id": "li_00000000000000000000000000",
                 *             "quantity": 2
                 *           }
                 *         ],
                 *         "location_id": "loc_00000000000000000000000000",
                 *         "carrier": "DHL",
                 *         "tracking_number": "JD014600003SE",
                 *         "tracking_url": "https://carrier.example.com/JD014600003SE",
                 *         "status": "shipped",
                 *         "notify": true,
                 *         "shipped_at": "2026-01-15T08:00:00.000Z",
                 *         "delivered_at": null,
                 *         "created_at": "2026-01-15T08:00:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ShipmentCreatedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onShipmentUpdated: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "shipment.updated",
                 *       "subject_id": "shp_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "shp_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "order_number": "ORD-1001",
                 *         "items": [
                 *           {
                 *             "order_item_id": "li_00000000000000000000000000",
                 *             "quantity": 2
                 *           }
                 *         ],
                 *         "location_id": "loc_00000000000000000000000000",
                 *         "carrier": "DHL",
                 *         "tracking_number": "JD014600003SE",
                 *         "tracking_url": "https://carrier.example.com/JD014600003SE",
                 *         "status": "delivered",
                 *         "notify": true,
                 *         "shipped_at": "2026-01-15T08:00:00.000Z",
                 *         "delivered_at": "2026-01-15T12:00:00.000Z",
                 *         "created_at": "2026-01-15T08:00:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["ShipmentUpdatedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onBookingCreated: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "booking.created",
                 *       "subject_id": "bk_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "bk_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "line_item_id": "li_00000000000000000000000000",
                 *         "service_id": "svc_00000000000000000000000000",
                 *         "service_name": "Pédicure",
                 *         "variant_id": null,
                 *         "staff_id": null,
                 *         "location_id": "loc_00000000000000000000000000",
                 *         "start_time": "2026-01-15T10:00:00.000Z",
                 *         "end_time": "2026-01-15T10:30:00.000Z",
                 *         "participant_count": 1,
                 *         "status": "confirmed",
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "cancelled_at": null,
                 *         "cancellation_reason": null,
                 *         "rescheduled_from": null,
                 *         "created_at": "2026-01-15T08:00:00.000Z",
                 *         "updated_at": "2026-01-15T08:00:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["BookingCreatedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onBookingRescheduled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "booking.rescheduled",
                 *       "subject_id": "bk_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "bk_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "line_item_id": "li_00000000000000000000000000",
                 *         "service_id": "svc_00000000000000000000000000",
                 *         "service_name": "Pédicure",
                 *         "variant_id": null,
                 *         "staff_id": null,
                 *         "location_id": "loc_00000000000000000000000000",
                 *         "start_time": "2026-01-15T10:00:00.000Z",
                 *         "end_time": "2026-01-15T10:30:00.000Z",
                 *         "participant_count": 1,
                 *         "status": "confirmed",
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "cancelled_at": null,
                 *         "cancellation_reason": null,
                 *         "rescheduled_from": "2026-01-15T09:00:00.000Z",
                 *         "created_at": "2026-01-15T08:00:00.000Z",
                 *         "updated_at": "2026-01-15T08:00:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["BookingRescheduledEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onBookingCancelled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "booking.cancelled",
                 *       "subject_id": "bk_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "bk_00000000000000000000000000",
                 *         "order_id": "ord_00000000000000000000000000",
                 *         "line_item_id": "li_00000000000000000000000000",
                 *         "service_id": "svc_00000000000000000000000000",
                 *         "service_name": "Pédicure",
                 *         "variant_id": null,
                 *         "staff_id": null,
                 *         "location_id": "loc_00000000000000000000000000",
                 *         "start_time": "2026-01-15T10:00:00.000Z",
                 *         "end_time": "2026-01-15T10:30:00.000Z",
                 *         "participant_count": 1,
                 *         "status": "cancelled",
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "cancelled_at": "2026-01-15T09:00:00.000Z",
                 *         "cancellation_reason": "Change of plans",
                 *         "rescheduled_from": null,
                 *         "created_at": "2026-01-15T08:00:00.000Z",
                 *         "updated_at": "2026-01-15T08:00:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["BookingCancelledEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onSubscriptionRenewed: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "subscription.renewed",
                 *       "subject_id": "sub_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "sub_00000000000000000000000000",
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "status": "active",
                 *         "billing_plan_id": "bp_00000000000000000000000000",
                 *         "current_period_start": "2026-01-15T08:00:00.000Z",
                 *         "current_period_end": "2026-02-15T08:00:00.000Z",
                 *         "cancel_at_period_end": false,
                 *         "amount": "25.00",
                 *         "currency": "GHS",
                 *         "order_id": "ord_00000000000000000000000000"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["SubscriptionRenewedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onSubscriptionCancelled: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "subscription.cancelled",
                 *       "subject_id": "sub_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "id": "sub_00000000000000000000000000",
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "status": "cancelled",
                 *         "billing_plan_id": "bp_00000000000000000000000000",
                 *         "current_period_start": "2026-01-15T08:00:00.000Z",
                 *         "current_period_end": "2026-02-15T08:00:00.000Z",
                 *         "cancel_at_period_end": false,
                 *         "amount": "25.00",
                 *         "currency": "GHS",
                 *         "order_id": "ord_00000000000000000000000000"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["SubscriptionCancelledEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onInventoryLowStock: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "inventory.low_stock",
                 *       "subject_id": "prod_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "product_id": "prod_00000000000000000000000000",
                 *         "variant_id": "var_00000000000000000000000000",
                 *         "location_id": "loc_00000000000000000000000000",
                 *         "quantity_available": 3,
                 *         "threshold": 5
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["InventoryLowStockEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly onSupportMessageCreated: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description Hex HMAC-SHA256 of the raw body. The key is the whole secret, including whsec_, as UTF-8. Compare in constant time. */
                readonly "X-Service-Signature": string;
                /** @description The event's id. */
                readonly "webhook-id": string;
                /** @description Unix seconds of this attempt. */
                readonly "webhook-timestamp": string;
                /** @description Standard Webhooks signature: v1, and the base64 HMAC-SHA256 of id.timestamp.body. For 24 hours after a rotation there is one for each secret, separated by a space. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_00000000000000000000000000",
                 *       "type": "support.message_created",
                 *       "subject_id": "thr_00000000000000000000000000",
                 *       "sequence": 1,
                 *       "occurred_at": "2026-01-15T08:00:00.000Z",
                 *       "created_at": "2026-01-15T08:00:00.000Z",
                 *       "data": {
                 *         "conversation_id": "thr_00000000000000000000000000",
                 *         "message_id": "msg_00000000000000000000000000",
                 *         "sender_type": "customer",
                 *         "content": "Do you deliver to Accra?",
                 *         "attachment_count": 0,
                 *         "customer_id": "cus_00000000000000000000000000",
                 *         "created_at": "2026-01-15T08:00:00.000Z"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["SupportMessageCreatedEvent"];
            };
        };
        readonly responses: {
            /** @description Received */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
