// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.

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
        readonly CreateBusinessRequest: {
            readonly name: string;
            readonly slug?: string;
            readonly appearance?: {
                readonly logo_url?: string | null;
                readonly accent_color?: string | null;
            };
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @example GHS */
            readonly currency: string;
            /** @example GH */
            readonly default_country: string;
            /** @example Africa/Accra */
            readonly timezone: string;
            /** @default null */
            readonly organization_id?: string | null;
            /** @example ama@example.com */
            readonly owner_email?: string | null;
            /**
             * @default own
             * @enum {string}
             */
            readonly payments?: "own" | "platform";
        };
        readonly Appearance: {
            readonly logo_url: string | null;
            readonly accent_color: string | null;
        };
        readonly BusinessLocation: components["schemas"]["PublicLocation"] & {
            readonly closures: readonly {
                readonly from: string;
                readonly to: string;
                readonly reason: string | null;
            }[];
            readonly archived_at: string | null;
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
        readonly BusinessAccount: {
            readonly id: string;
            readonly name: string;
            readonly slug: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly currency: string;
            readonly default_country: string;
            readonly timezone: string;
            readonly organization_id: string | null;
            /** @enum {string} */
            readonly payments: "own" | "platform";
            /** @enum {string} */
            readonly status: "active" | "suspended" | "closed";
            readonly suspended_at: string | null;
            readonly closed_at: string | null;
            readonly erase_at: string | null;
            readonly tax: {
                readonly rate_percent: string;
                readonly inclusive: boolean;
            };
            readonly auto_confirm: boolean;
            /** @enum {string} */
            readonly booking_refunds: "automatic" | "manual";
            /** @enum {string|null} */
            readonly customer_cancellation: "pending" | "confirmed" | "preparing" | null;
            readonly allowed_origins: readonly string[];
            readonly payment_methods: readonly ("cash" | "mobile_money" | "card")[];
            readonly payment_routing: {
                readonly card: readonly ("stripe" | "paystack")[];
                readonly mobile_money: readonly ("stripe" | "paystack")[];
            };
            readonly order_number_prefix: string;
            readonly low_stock_threshold: number;
            readonly max_coupons: number;
            readonly free_delivery_threshold: string | null;
            readonly incentives: readonly {
                /** @enum {string} */
                readonly intent: "baseline" | "considering" | "ready_to_buy";
                readonly template_id: string;
                readonly agent_id: string;
            }[];
            readonly fx: {
                /** @enum {string} */
                readonly provider: "static" | "frankfurter" | "openexchangerates";
                readonly static_rates: {
                    readonly base: string;
                    readonly rates: {
                        readonly [key: string]: string;
                    };
                } | null;
            };
            readonly rate_limits: {
                readonly public_per_second_per_address: number | null;
                readonly public_per_minute: number | null;
                readonly public_per_minute_per_address: number | null;
                readonly secret_per_second: number | null;
            };
            readonly unpaid_limits: {
                readonly holds_per_session: number | null;
                readonly bookings_per_contact: number | null;
                readonly per_address: number | null;
            };
            readonly appearance: components["schemas"]["Appearance"];
            readonly locations: readonly components["schemas"]["BusinessLocation"][];
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly CreatedBusiness: {
            readonly business: components["schemas"]["BusinessAccount"];
            readonly location: components["schemas"]["BusinessLocation"];
            readonly keys: {
                readonly publishable: string;
                readonly secret: string;
                readonly deploy: string;
            };
        };
        readonly Pagination: {
            readonly limit: number;
            /** @description The cursor of the next page. Null on the last page. */
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly ListBusinessesResult: {
            readonly items: readonly components["schemas"]["BusinessAccount"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly BusinessFields: {
            readonly name?: string;
            readonly slug?: string;
            readonly organization_id?: string | null;
            /** @enum {string} */
            readonly payments?: "own" | "platform";
            readonly tax?: {
                /** @example 12.5 */
                readonly rate_percent?: string;
                readonly inclusive?: boolean;
            };
            readonly auto_confirm?: boolean;
            /** @enum {string} */
            readonly booking_refunds?: "automatic" | "manual";
            /** @enum {string|null} */
            readonly customer_cancellation?: "pending" | "confirmed" | "preparing" | null;
            readonly allowed_origins?: readonly string[];
            readonly payment_methods?: readonly ("cash" | "mobile_money" | "card")[];
            readonly payment_routing?: {
                readonly card?: readonly ("stripe" | "paystack")[];
                readonly mobile_money?: readonly ("stripe" | "paystack")[];
            };
            readonly order_number_prefix?: string;
            readonly low_stock_threshold?: number;
            readonly max_coupons?: number;
            /** @example 12.50 */
            readonly free_delivery_threshold?: string | null;
            readonly incentives?: readonly {
                /** @enum {string} */
                readonly intent: "baseline" | "considering" | "ready_to_buy";
                readonly template_id: string;
                readonly agent_id: string;
            }[];
            readonly fx?: {
                /** @enum {string} */
                readonly provider?: "static" | "frankfurter" | "openexchangerates";
                readonly static_rates?: {
                    /** @example GHS */
                    readonly base: string;
                    readonly rates: {
                        readonly [key: string]: string;
                    };
                } | null;
            };
            readonly rate_limits?: {
                readonly public_per_second_per_address?: number | null;
                readonly public_per_minute?: number | null;
                readonly public_per_minute_per_address?: number | null;
                readonly secret_per_second?: number | null;
            };
            readonly unpaid_limits?: {
                readonly holds_per_session?: number | null;
                readonly bookings_per_contact?: number | null;
                readonly per_address?: number | null;
            };
            readonly appearance?: {
                readonly logo_url?: string | null;
                readonly accent_color?: string | null;
            };
        };
        readonly MoveBusinessRequest: {
            readonly shard: string;
        };
        readonly BusinessMove: {
            readonly move_id: string;
            readonly business_id: string;
            readonly from_shard: string;
            readonly to_shard: string;
            /** @enum {string} */
            readonly phase: "fencing" | "clearing" | "copying" | "checking" | "counting" | "flipping" | "opening" | "cleaning" | "undoing" | "done" | "called_off";
            readonly rows_copied: number;
            readonly started_at: string;
            readonly ended_at: string | null;
            readonly is_over: boolean;
            readonly retry_after_ms: number;
        };
        readonly ApiKey: {
            readonly id: string;
            /** @enum {string} */
            readonly kind: "publishable" | "secret" | "deploy";
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly scopes: readonly ("*" | "catalogue:read" | "catalogue:write" | "orders:read" | "orders:write" | "customers:read" | "customers:write" | "inventory:read" | "inventory:write" | "payments:read" | "payments:write" | "support:read" | "support:write" | "webhooks:read" | "webhooks:write" | "settings:read" | "settings:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "providers:read" | "providers:write" | "messages:read" | "messages:write")[];
            readonly label: string;
            readonly created_at: string;
            readonly revoked_at: string | null;
            readonly last_used_at: string | null;
        };
        readonly ListOrganizationKeysResult: {
            readonly items: readonly components["schemas"]["ApiKey"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateOrganizationKeyRequest: {
            /** @enum {string} */
            readonly kind: "publishable" | "secret" | "deploy";
            /** @default [] */
            readonly scopes?: readonly ("*" | "catalogue:read" | "catalogue:write" | "orders:read" | "orders:write" | "customers:read" | "customers:write" | "inventory:read" | "inventory:write" | "payments:read" | "payments:write" | "support:read" | "support:write" | "webhooks:read" | "webhooks:write" | "settings:read" | "settings:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "providers:read" | "providers:write" | "messages:read" | "messages:write")[];
            /** @default  */
            readonly label?: string;
            /**
             * @default null
             * @enum {string|null}
             */
            readonly mode?: "live" | "test" | null;
        };
        readonly NewApiKey: components["schemas"]["ApiKey"] & {
            readonly key: string;
        };
        readonly OperatorStatus: {
            readonly shards: readonly {
                readonly shard: string;
                readonly name: string;
                /** @description The size of the database. */
                readonly bytes: number;
                /** @description The same as `bytes`. */
                readonly size_bytes: number;
                /** @description The largest size of a database. */
                readonly bytes_limit: number;
                /** @description Whether the shard refuses writes. */
                readonly is_full: boolean;
                /** @description The most rows that its tables may have. */
                readonly rows: number;
                /** @description The businesses whose data it holds. */
                readonly businesses: number;
                /** @description The newest migration of the database; null when it keeps no list of them. */
                readonly schema: string | null;
            }[];
            /** @description Since when an event waits for its delivery; null for none. */
            readonly oldest_undelivered_event: string | null;
            readonly queue: {
                /** @description The messages that wait in the queue of events. */
                readonly messages: number;
                /** @description Their size. */
                readonly bytes: number;
                /** @description When the oldest one was sent; null when none waits. */
                readonly oldest_message_at: string | null;
            } | null;
            /** @description Messages that a queue gave up on and that wait for the operator. */
            readonly dead_letters: number;
            /** @description Unpaid orders after their deadline, which still hold stock. */
            readonly unpaid_holds_overdue: number;
            /** @description Subscriptions whose renewal is due. */
            readonly renewals_behind: number;
            /** @description Failed calls of external providers in the last 15 minutes. */
            readonly provider_errors: number | null;
            readonly jobs: readonly {
                readonly name: string;
                /** @description Null for a job on CORE. */
                readonly shard: string | null;
                readonly last_run_at: string;
                /** @description For how long the oldest record was due when that run began. */
                readonly backlog_age_seconds: number;
            }[];
            readonly version: {
                readonly schema: string | null;
                readonly code: string;
            };
            readonly missing_providers: readonly {
                readonly business_id: string;
                readonly provider: string;
                readonly orders: number;
                readonly oldest_order_at: string;
            }[];
            readonly failing_records: readonly {
                readonly job: string;
                readonly shard: string | null;
                readonly record: string;
                readonly failures: number;
                readonly first_failed_at: string;
                readonly last_failed_at: string;
            }[];
            readonly reconciliations: readonly {
                readonly account: string;
                readonly reconciled_until: string | null;
                readonly is_running: boolean;
                readonly next_run_at: string;
                readonly differences: number;
            }[];
        };
        readonly ReconciliationDifference: {
            readonly id: string;
            readonly account: string;
            /** @enum {string} */
            readonly kind: "unknown_reference" | "amount_differs" | "not_captured" | "missing_charge" | "not_recorded" | "unknown_refund" | "refund_differs" | "missing_refund";
            readonly entry: string;
            readonly reference: string | null;
            readonly business_id: string | null;
            readonly order_id: string | null;
            readonly expected: {
                readonly amount: string;
                readonly currency: string;
            } | null;
            readonly reported: {
                readonly amount: string;
                readonly currency: string;
            } | null;
            readonly first_seen_at: string;
            readonly last_seen_at: string;
        };
        readonly ListReconciliationDifferencesResult: {
            readonly items: readonly components["schemas"]["ReconciliationDifference"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly DeadLetter: {
            readonly id: string;
            readonly queue: string;
            readonly business_id: string;
            readonly shard: string;
            readonly received_at: string;
            readonly retried_at: string | null;
        };
        readonly ListDeadLettersResult: {
            readonly items: readonly components["schemas"]["DeadLetter"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly RetryDeadLettersResult: {
            readonly retried: number;
            readonly remaining: number;
        };
        readonly CheckBooksRequest: {
            readonly business_id?: string;
            readonly shard?: string;
            readonly cursor?: string | null;
        };
        readonly BooksReport: {
            readonly findings: readonly {
                /** @enum {string} */
                readonly check: "order_subtotal" | "order_total" | "order_payment" | "payment_amount" | "captured_charge" | "charged_once" | "refunds" | "order_event" | "reserved_stock" | "booked_slot" | "stock_level" | "event_order" | "occupied_ranges";
                readonly business_id: string;
                readonly record: string;
                readonly expected: string | null;
                readonly found: string | null;
            }[];
            readonly next_cursor: string | null;
        };
        readonly ConsoleUser: {
            readonly id: string;
            readonly email: string;
            readonly name: string | null;
            readonly is_operator: boolean;
        };
        readonly ListOperatorsResult: {
            readonly items: readonly components["schemas"]["ConsoleUser"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly AddOperatorRequest: {
            /** @example ama@example.com */
            readonly email: string;
        };
        readonly RotateCredentialsRequest: {
            /** @default null */
            readonly after?: string | null;
        };
        readonly CredentialsRotation: {
            readonly key_id: string;
            readonly rewrapped: number;
            readonly failed: readonly string[];
            readonly next: string | null;
            readonly remaining: readonly {
                readonly key_id: string;
                readonly businesses: number;
                readonly is_known: boolean;
            }[];
        };
        readonly RequestOtpRequest: {
            readonly contact: string;
        };
        readonly RequestOtpResult: {
            /** @enum {string} */
            readonly delivery_channel: "sms" | "email";
            readonly expires_in_seconds: number;
            readonly next_resend_in_seconds: number;
        };
        readonly VerifyOtpRequest: {
            readonly contact: string;
            readonly otp_code: string;
        };
        readonly Membership: {
            readonly business_id: string;
            readonly business_name: string;
            /** @enum {string} */
            readonly business_status: "active" | "suspended" | "closed";
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly currency: string;
            readonly timezone: string;
            readonly locations: readonly components["schemas"]["BusinessLocation"][];
            /** @enum {string} */
            readonly role: "owner" | "manager" | "catalogue" | "orders" | "viewer";
            readonly scopes: readonly ("*" | "catalogue:read" | "catalogue:write" | "orders:read" | "orders:write" | "customers:read" | "customers:write" | "inventory:read" | "inventory:write" | "payments:read" | "payments:write" | "support:read" | "support:write" | "webhooks:read" | "webhooks:write" | "settings:read" | "settings:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "providers:read" | "providers:write" | "messages:read" | "messages:write")[];
        };
        readonly ConsoleLogin: {
            readonly user: components["schemas"]["ConsoleUser"];
            readonly memberships: readonly components["schemas"]["Membership"][];
        };
        readonly PasskeyRegistrationOptions: {
            readonly challenge: string;
            readonly rp: {
                readonly id: string;
                readonly name: string;
            };
            readonly user: {
                readonly id: string;
                readonly name: string;
                readonly displayName: string;
            };
            readonly pubKeyCredParams: readonly {
                readonly alg: number;
                /** @enum {string} */
                readonly type: "public-key";
            }[];
            readonly timeout: number;
            /** @enum {string} */
            readonly attestation: "none";
            readonly excludeCredentials: readonly {
                readonly id: string;
                /** @enum {string} */
                readonly type: "public-key";
            }[];
            readonly authenticatorSelection: {
                /** @enum {string} */
                readonly residentKey: "required";
                /** @enum {boolean} */
                readonly requireResidentKey: true;
                /** @enum {string} */
                readonly userVerification: "required";
            };
        };
        readonly RegisterPasskeyRequest: {
            /** @description What startRegistration or startAuthentication of @simplewebauthn/browser gives. */
            readonly response: {
                readonly [key: string]: unknown;
            };
            readonly name?: string | null;
        };
        readonly Passkey: {
            readonly id: string;
            readonly name: string;
            readonly created_at: string;
            readonly last_used_at: string | null;
        };
        readonly PasskeyLoginOptions: {
            readonly challenge: string;
            readonly rpId: string;
            readonly timeout: number;
            /** @enum {string} */
            readonly userVerification: "required";
        };
        readonly Member: {
            readonly id: string;
            /** @description Null until the person has accepted. */
            readonly user_id: string | null;
            readonly email: string;
            readonly name: string | null;
            /** @enum {string} */
            readonly role: "owner" | "manager" | "catalogue" | "orders" | "viewer";
            /** @enum {string} */
            readonly status: "invited" | "active";
            readonly invited_at: string;
            readonly accepted_at: string | null;
        };
        readonly ListMembersResult: {
            readonly items: readonly components["schemas"]["Member"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly InviteMemberRequest: {
            /** @example ama@example.com */
            readonly email: string;
            readonly name?: string | null;
            /** @enum {string} */
            readonly role: "owner" | "manager" | "catalogue" | "orders" | "viewer";
        };
        readonly UpdateMemberRequest: {
            /** @enum {string} */
            readonly role: "owner" | "manager" | "catalogue" | "orders" | "viewer";
        };
        readonly OutgoingMessage: {
            readonly id: string;
            /** @enum {string} */
            readonly name: "order.confirmation" | "order.receipt" | "order.cancelled" | "payment.failed" | "refund.issued" | "shipment.shipped" | "shipment.delivered" | "booking.confirmation" | "booking.moved" | "booking.cancelled" | "booking.reminder" | "subscription.renewal_failed" | "subscription.ending" | "support.reply" | "one_time_code" | "member.invitation" | "provider.invalid";
            /** @enum {string} */
            readonly channel: "sms" | "email";
            readonly to: string;
            /** @enum {string} */
            readonly status: "queued" | "sent" | "failed" | "skipped";
            readonly attempts: number;
            readonly provider: string | null;
            readonly provider_id: string | null;
            readonly error: string | null;
            readonly order_id: string | null;
            readonly subject_id: string;
            readonly next_attempt_at: string | null;
            readonly created_at: string;
            readonly sent_at: string | null;
        };
        readonly ListMessagesResult: {
            readonly items: readonly components["schemas"]["OutgoingMessage"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly MessageSettings: {
            readonly sender_name: string | null;
            readonly reply_to: string | null;
            readonly locale: string;
            readonly footer: string | null;
            readonly reminder_hours: number;
            /** @enum {string} */
            readonly sms: "always" | "without_email" | "never";
        };
        readonly UpdateMessageSettingsRequest: {
            readonly sender_name?: string | null;
            /** @example ama@example.com */
            readonly reply_to?: string | null;
            /** @example en-GH */
            readonly locale?: string;
            readonly footer?: string | null;
            readonly reminder_hours?: number;
            /** @enum {string} */
            readonly sms?: "always" | "without_email" | "never";
        };
        readonly MessageTemplate: {
            /** @enum {string} */
            readonly name: "order.confirmation" | "order.receipt" | "order.cancelled" | "payment.failed" | "refund.issued" | "shipment.shipped" | "shipment.delivered" | "booking.confirmation" | "booking.moved" | "booking.cancelled" | "booking.reminder" | "subscription.renewal_failed" | "subscription.ending" | "support.reply" | "one_time_code" | "member.invitation" | "provider.invalid";
            readonly channels: readonly ("sms" | "email")[];
            readonly is_enabled: boolean;
            readonly is_custom: boolean;
            readonly subject: string;
            readonly body: string;
            readonly sms_body: string | null;
            readonly variables: readonly string[];
            readonly updated_at: string | null;
        };
        readonly UpdateMessageTemplateRequest: {
            readonly is_enabled?: boolean;
            readonly subject?: string | null;
            readonly body?: string | null;
            readonly sms_body?: string | null;
        };
        readonly PreviewMessageTemplateRequest: {
            readonly subject?: string | null;
            readonly body?: string | null;
            readonly sms_body?: string | null;
        };
        readonly MessagePreview: {
            readonly subject: string;
            readonly html: string;
            readonly text: string;
            readonly sms: string | null;
        };
        readonly SendTestMessageRequest: {
            /** @example ama@example.com */
            readonly to?: string;
        };
        readonly SendTestMessageResult: {
            readonly to: string;
        };
        readonly PaymentProvider: {
            /** @enum {string} */
            readonly provider: "stripe" | "paystack";
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @enum {string} */
            readonly status: "active" | "invalid" | "disabled";
            readonly methods: readonly ("cash" | "mobile_money" | "card")[];
            readonly currencies: readonly string[];
            /** @description The last four characters of the secret key. */
            readonly key_hint: string;
            /** @description Where the provider sends its webhooks. */
            readonly webhook_url: string;
            readonly connected_at: string;
            readonly last_error: string | null;
        };
        readonly ProviderCredentials: {
            /** @example sk_test_example */
            readonly secret_key: string;
            /** @description For stripe alone. */
            readonly webhook_secret?: string;
            /** @description For stripe alone. */
            readonly publishable_key?: string;
        };
        readonly ListKeysResult: {
            readonly items: readonly components["schemas"]["ApiKey"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateKeyRequest: {
            /** @enum {string} */
            readonly kind: "publishable" | "secret" | "deploy";
            /** @default [] */
            readonly scopes?: readonly ("*" | "catalogue:read" | "catalogue:write" | "orders:read" | "orders:write" | "customers:read" | "customers:write" | "inventory:read" | "inventory:write" | "payments:read" | "payments:write" | "support:read" | "support:write" | "webhooks:read" | "webhooks:write" | "settings:read" | "settings:write" | "keys:read" | "keys:write" | "members:read" | "members:write" | "providers:read" | "providers:write" | "messages:read" | "messages:write")[];
            /** @default  */
            readonly label?: string;
        };
        readonly RotateAgentKeyRequest: {
            /**
             * @description Whether earlier keys leave the profile at once.
             * @default false
             */
            readonly withdraw_earlier?: boolean;
        };
        readonly AgentKey: {
            /** @description The key's id in signatures and in the profile. */
            readonly kid: string;
            readonly created_at: string;
            readonly retired_at: string | null;
            /** @description When the key leaves the profile; null while it signs. */
            readonly published_until: string | null;
        };
        readonly Domain: {
            readonly id: string;
            readonly hostname: string;
            /** @enum {string} */
            readonly status: "pending" | "verified";
            /** @description The DNS record that proves that the hostname is the business's. */
            readonly verification: {
                /** @enum {string} */
                readonly type: "TXT";
                readonly name: string;
                readonly value: string;
            };
            readonly created_at: string;
            readonly verified_at: string | null;
        };
        readonly ListDomainsResult: {
            readonly items: readonly components["schemas"]["Domain"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly AddDomainRequest: {
            /** @example shop.example.com */
            readonly hostname: string;
        };
        readonly ListLocationsResult: {
            readonly items: readonly components["schemas"]["BusinessLocation"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly BusinessAddress: {
            /** @default null */
            readonly street_address?: string | null;
            /** @default null */
            readonly city?: string | null;
            /** @default null */
            readonly region?: string | null;
            /**
             * @default null
             * @example GH
             */
            readonly country?: string | null;
            /** @default null */
            readonly postal_code?: string | null;
        };
        readonly OperatingHours: {
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
        readonly CreateLocationRequest: {
            readonly name: string;
            readonly address?: components["schemas"]["BusinessAddress"] | null;
            /** @example Africa/Accra */
            readonly timezone?: string;
            readonly operating_hours?: components["schemas"]["OperatingHours"];
            readonly closures?: readonly ({
                /** Format: date */
                readonly date: string;
                /** @default null */
                readonly reason?: string | null;
            } | {
                /** Format: date */
                readonly from: string;
                /** Format: date */
                readonly to: string;
                /** @default null */
                readonly reason?: string | null;
            })[];
            readonly is_default?: boolean;
            readonly offers_pickup?: boolean;
            readonly pickup_instructions?: string | null;
        };
        readonly UpdateLocationRequest: {
            readonly name?: string;
            readonly address?: components["schemas"]["BusinessAddress"] | null;
            /** @example Africa/Accra */
            readonly timezone?: string;
            readonly operating_hours?: components["schemas"]["OperatingHours"];
            readonly closures?: readonly ({
                /** Format: date */
                readonly date: string;
                /** @default null */
                readonly reason?: string | null;
            } | {
                /** Format: date */
                readonly from: string;
                /** Format: date */
                readonly to: string;
                /** @default null */
                readonly reason?: string | null;
            })[];
            readonly is_default?: boolean;
            readonly offers_pickup?: boolean;
            readonly pickup_instructions?: string | null;
        };
        readonly TaxClass: {
            /** @example reduced */
            readonly code: string;
            readonly name: string;
        };
        readonly ListTaxClassesResult: {
            readonly items: readonly components["schemas"]["TaxClass"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateTaxClassRequest: {
            /** @example reduced */
            readonly code: string;
            readonly name: string;
        };
        readonly UpdateTaxClassRequest: {
            readonly name?: string;
        };
        readonly TaxRate: {
            readonly id: string;
            readonly tax_class: string;
            readonly name: string;
            readonly country: string;
            readonly region: string | null;
            readonly postal_code_prefix: string | null;
            /** @example 12.5 */
            readonly rate_percent: string;
            readonly applies_to_delivery: boolean;
            readonly is_active: boolean;
        };
        readonly ListTaxRatesResult: {
            readonly items: readonly components["schemas"]["TaxRate"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateTaxRateRequest: {
            /** @example reduced */
            readonly tax_class?: string;
            readonly name: string;
            /** @example GH */
            readonly country: string;
            readonly region?: string | null;
            readonly postal_code_prefix?: string | null;
            /** @example 12.5 */
            readonly rate_percent: string;
            readonly applies_to_delivery?: boolean;
            readonly is_active?: boolean;
        };
        readonly UpdateTaxRateRequest: {
            /** @example reduced */
            readonly tax_class?: string;
            readonly name?: string;
            /** @example GH */
            readonly country?: string;
            readonly region?: string | null;
            readonly postal_code_prefix?: string | null;
            /** @example 12.5 */
            readonly rate_percent?: string;
            readonly applies_to_delivery?: boolean;
            readonly is_active?: boolean;
        };
        readonly DeliveryZone: {
            readonly id: string;
            readonly name: string;
            readonly areas: readonly {
                readonly country: string;
                readonly regions: readonly string[];
                readonly postal_code_prefixes: readonly string[];
            }[];
            readonly location_ids: readonly string[] | null;
            readonly is_active: boolean;
        };
        readonly ListDeliveryZonesResult: {
            readonly items: readonly components["schemas"]["DeliveryZone"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly DeliveryArea: {
            /** @example GH */
            readonly country: string;
            /** @default [] */
            readonly regions?: readonly string[];
            /** @default [] */
            readonly postal_code_prefixes?: readonly string[];
        };
        readonly CreateDeliveryZoneRequest: {
            readonly name: string;
            readonly areas: readonly components["schemas"]["DeliveryArea"][];
            readonly location_ids?: readonly string[] | null;
            readonly is_active?: boolean;
        };
        readonly UpdateDeliveryZoneRequest: {
            readonly name?: string;
            readonly areas?: readonly components["schemas"]["DeliveryArea"][];
            readonly location_ids?: readonly string[] | null;
            readonly is_active?: boolean;
        };
        readonly DeliveryPrice: {
            /** @enum {string} */
            readonly type: "flat";
            readonly amount: string;
        } | {
            /** @enum {string} */
            readonly type: "by_subtotal";
            readonly tiers: readonly {
                readonly min_subtotal: string;
                readonly amount: string;
            }[];
        } | {
            /** @enum {string} */
            readonly type: "by_weight";
            readonly tiers: readonly {
                readonly max_grams: number;
                readonly amount: string;
            }[];
        };
        readonly DeliveryMethod: {
            readonly id: string;
            readonly zone_id: string;
            readonly name: string;
            readonly description: string;
            readonly price: components["schemas"]["DeliveryPrice"];
            readonly free_over: string | null;
            readonly min_days: number | null;
            readonly max_days: number | null;
            readonly payment_methods: readonly ("cash" | "mobile_money" | "card")[] | null;
            readonly sort_order: number;
            readonly is_active: boolean;
        };
        readonly ListDeliveryMethodsResult: {
            readonly items: readonly components["schemas"]["DeliveryMethod"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly DeliveryPriceFields: {
            /** @enum {string} */
            readonly type: "flat";
            /** @example 12.50 */
            readonly amount: string;
        } | {
            /** @enum {string} */
            readonly type: "by_subtotal";
            readonly tiers: readonly {
                /** @example 12.50 */
                readonly min_subtotal: string;
                /** @example 12.50 */
                readonly amount: string;
            }[];
        } | {
            /** @enum {string} */
            readonly type: "by_weight";
            readonly tiers: readonly {
                readonly max_grams: number;
                /** @example 12.50 */
                readonly amount: string;
            }[];
        };
        readonly CreateDeliveryMethodRequest: {
            readonly zone_id: string;
            readonly name: string;
            readonly description?: string;
            readonly price: components["schemas"]["DeliveryPriceFields"];
            /** @example 12.50 */
            readonly free_over?: string | null;
            readonly min_days?: number | null;
            readonly max_days?: number | null;
            readonly payment_methods?: readonly ("cash" | "mobile_money" | "card")[] | null;
            readonly sort_order?: number;
            readonly is_active?: boolean;
        };
        readonly UpdateDeliveryMethodRequest: {
            readonly zone_id?: string;
            readonly name?: string;
            readonly description?: string;
            readonly price?: components["schemas"]["DeliveryPriceFields"];
            /** @example 12.50 */
            readonly free_over?: string | null;
            readonly min_days?: number | null;
            readonly max_days?: number | null;
            readonly payment_methods?: readonly ("cash" | "mobile_money" | "card")[] | null;
            readonly sort_order?: number;
            readonly is_active?: boolean;
        };
        readonly AuditEntry: {
            readonly id: string;
            readonly at: string;
            readonly actor: string;
            readonly actor_email: string | null;
            readonly action: string;
            readonly entity: string;
            readonly before?: unknown;
            readonly after?: unknown;
        };
        readonly ListAuditEntriesResult: {
            readonly items: readonly components["schemas"]["AuditEntry"][];
            readonly pagination: components["schemas"]["Pagination"];
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
            readonly options: readonly components["schemas"]["GetProductAddOnOptionResult"][];
        };
        readonly GetProductAddOnOptionResult: {
            readonly id: string;
            readonly name: string;
            /** @example 12.50 */
            readonly price: string;
        };
        readonly ProductImage: {
            readonly id: string;
            readonly url: string;
            readonly is_primary: boolean;
        };
        readonly VariantAxis: {
            readonly name: string;
            readonly label: string;
            readonly values: readonly string[];
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
        readonly ProductRecord: {
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
            readonly is_active: boolean;
            readonly featured: boolean;
            readonly variants: readonly components["schemas"]["Variant"][];
            readonly add_ons: readonly components["schemas"]["AddOnGroup"][];
            readonly images: readonly components["schemas"]["ProductImage"][];
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
            readonly price_overrides: readonly {
                readonly location_id: string;
                readonly variant_id: string | null;
                readonly price: string;
            }[];
            readonly schedules: readonly components["schemas"]["ScheduleRule"][];
            readonly billing_plan_ids: readonly string[];
            readonly bundle_id: string | null;
            readonly composite_id: string | null;
        };
        readonly ListProductsResult: {
            readonly items: readonly components["schemas"]["ProductRecord"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly ChangeProductStatusesRequest: {
            readonly product_ids: readonly string[];
            /** @enum {string} */
            readonly status: "active" | "inactive" | "archived";
        };
        readonly ProductStatusChange: {
            readonly product_id: string;
            /** @enum {string|null} */
            readonly status: "active" | "inactive" | "archived" | null;
            readonly error: {
                /** @enum {string} */
                readonly code: "NOT_FOUND" | "INVALID_STATE";
                readonly message: string;
            } | null;
        };
        readonly ProductStatusChanges: {
            readonly results: readonly components["schemas"]["ProductStatusChange"][];
        };
        readonly ImageFields: {
            readonly id?: string;
            readonly url: string;
            /** @default false */
            readonly is_primary?: boolean;
        };
        readonly VariantFields: {
            readonly id?: string;
            readonly name: string;
            /** @default null */
            readonly sku?: string | null;
            /**
             * @default 0
             * @example 12.50
             */
            readonly price_adjustment?: string;
            /**
             * @default null
             * @example 12.50
             */
            readonly compare_at_price?: string | null;
            /** @default false */
            readonly is_default?: boolean;
            /** @default true */
            readonly is_active?: boolean;
            /** @default {} */
            readonly axis_values?: {
                readonly [key: string]: string;
            };
            /** @default null */
            readonly duration_minutes?: number | null;
            /** @default null */
            readonly buffer_minutes?: number | null;
            /** @default null */
            readonly capacity?: number | null;
            /** @default null */
            readonly weight_grams?: number | null;
        };
        readonly AddOnGroupFields: {
            readonly id?: string;
            readonly name: string;
            /**
             * @default single
             * @enum {string}
             */
            readonly selection_type?: "single" | "multiple";
            /** @default false */
            readonly is_required?: boolean;
            readonly options: readonly {
                readonly id?: string;
                readonly name: string;
                /**
                 * @default 0
                 * @example 12.50
                 */
                readonly price?: string;
            }[];
        };
        readonly PriceOverride: {
            readonly location_id: string;
            /** @default null */
            readonly variant_id?: string | null;
            /** @example 12.50 */
            readonly price: string;
        };
        readonly ScheduleFields: {
            readonly id?: string;
            /** @default null */
            readonly location_id?: string | null;
            readonly days: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            readonly start_time: string;
            readonly end_time: string;
            /** @example Africa/Accra */
            readonly timezone?: string;
            /**
             * Format: date
             * @default null
             */
            readonly starts_on?: string | null;
            /**
             * Format: date
             * @default null
             */
            readonly ends_on?: string | null;
        };
        readonly CreateProductRequest: {
            readonly name: string;
            readonly slug?: string | null;
            readonly description?: string;
            readonly category_id?: string | null;
            /** @example 12.50 */
            readonly default_price: string;
            /** @example 12.50 */
            readonly compare_at_price?: string | null;
            /** @example reduced */
            readonly tax_class?: string;
            /** @enum {string} */
            readonly product_type?: "product" | "service" | "bundle" | "composite" | "digital";
            /** @enum {string} */
            readonly inventory_type?: "none" | "tracked" | "variant_level";
            readonly is_active?: boolean;
            readonly featured?: boolean;
            readonly tags?: readonly string[];
            readonly properties?: {
                readonly [key: string]: unknown;
            };
            readonly taxonomy_id?: string | null;
            readonly images?: readonly components["schemas"]["ImageFields"][];
            readonly variant_axes?: readonly {
                readonly name: string;
                readonly label: string;
                readonly values: readonly string[];
            }[];
            readonly variants?: readonly components["schemas"]["VariantFields"][];
            readonly add_ons?: readonly components["schemas"]["AddOnGroupFields"][];
            readonly price_overrides?: readonly components["schemas"]["PriceOverride"][];
            readonly schedules?: readonly components["schemas"]["ScheduleFields"][];
            readonly billing_plan_ids?: readonly string[];
            readonly weight_grams?: number;
            readonly requires_shipping?: boolean;
        };
        readonly UpdateProductRequest: {
            readonly name?: string;
            readonly slug?: string | null;
            readonly description?: string;
            readonly category_id?: string | null;
            /** @example 12.50 */
            readonly default_price?: string;
            /** @example 12.50 */
            readonly compare_at_price?: string | null;
            /** @example reduced */
            readonly tax_class?: string;
            /** @enum {string} */
            readonly product_type?: "product" | "service" | "bundle" | "composite" | "digital";
            /** @enum {string} */
            readonly inventory_type?: "none" | "tracked" | "variant_level";
            readonly is_active?: boolean;
            readonly featured?: boolean;
            readonly tags?: readonly string[];
            readonly properties?: {
                readonly [key: string]: unknown;
            };
            readonly taxonomy_id?: string | null;
            readonly images?: readonly components["schemas"]["ImageFields"][];
            readonly variant_axes?: readonly {
                readonly name: string;
                readonly label: string;
                readonly values: readonly string[];
            }[];
            readonly variants?: readonly components["schemas"]["VariantFields"][];
            readonly add_ons?: readonly components["schemas"]["AddOnGroupFields"][];
            readonly price_overrides?: readonly components["schemas"]["PriceOverride"][];
            readonly schedules?: readonly components["schemas"]["ScheduleFields"][];
            readonly billing_plan_ids?: readonly string[];
            readonly weight_grams?: number;
            readonly requires_shipping?: boolean;
        };
        readonly UpdateProductVariantRequest: {
            readonly name?: string;
            readonly sku?: string | null;
            /** @example 12.50 */
            readonly price_adjustment?: string;
            /** @example 12.50 */
            readonly compare_at_price?: string | null;
            readonly is_default?: boolean;
            readonly is_active?: boolean;
            readonly axis_values?: {
                readonly [key: string]: string;
            };
            readonly duration_minutes?: number | null;
            readonly buffer_minutes?: number | null;
            readonly capacity?: number | null;
            readonly weight_grams?: number | null;
        };
        readonly UpdateProductAddOnOptionRequest: {
            readonly name?: string;
            /** @example 12.50 */
            readonly price?: string;
        };
        readonly UpdateProductImageRequest: {
            readonly url?: string;
            readonly is_primary?: boolean;
            readonly position?: number;
        };
        readonly CategoryRecord: components["schemas"]["Category"] & {
            readonly description: string;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
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
        readonly ListCategoriesResult: {
            readonly items: readonly components["schemas"]["CategoryRecord"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateCategoryRequest: {
            readonly name: string;
            readonly slug?: string | null;
            readonly parent_id?: string | null;
            readonly image_url?: string | null;
            readonly description?: string;
            readonly sort_order?: number;
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
        };
        readonly UpdateCategoryRequest: {
            readonly name?: string;
            readonly slug?: string | null;
            readonly parent_id?: string | null;
            readonly image_url?: string | null;
            readonly description?: string;
            readonly sort_order?: number;
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
        };
        readonly CollectionRecord: {
            readonly id: string;
            readonly name: string;
            readonly slug: string;
            readonly image_url: string | null;
            readonly product_count: number;
            readonly sort_order: number;
            readonly description: string;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly product_ids: readonly string[] | null;
            readonly rule: {
                readonly tags: readonly string[];
            } | null;
        };
        readonly ListCollectionsResult: {
            readonly items: readonly components["schemas"]["CollectionRecord"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateCollectionRequest: {
            readonly name: string;
            readonly slug?: string | null;
            readonly image_url?: string | null;
            readonly description?: string;
            readonly sort_order?: number;
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            readonly product_ids?: readonly string[] | null;
            readonly rule?: {
                readonly tags: readonly string[];
            } | null;
        };
        readonly UpdateCollectionRequest: {
            readonly name?: string;
            readonly slug?: string | null;
            readonly image_url?: string | null;
            readonly description?: string;
            readonly sort_order?: number;
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            readonly product_ids?: readonly string[] | null;
            readonly rule?: {
                readonly tags: readonly string[];
            } | null;
        };
        readonly AttributeRecord: components["schemas"]["Attribute"] & {
            readonly category_id: string | null;
            readonly collection_id: string | null;
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
        readonly ListAttributesResult: {
            readonly items: readonly components["schemas"]["AttributeRecord"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateAttributeRequest: {
            readonly category_id?: string | null;
            readonly collection_id?: string | null;
            readonly key: string;
            readonly label: string;
            /** @enum {string} */
            readonly type: "text" | "number" | "boolean" | "select";
            readonly values?: readonly string[];
            readonly unit?: string | null;
            readonly is_filterable?: boolean;
        };
        readonly UpdateAttributeRequest: {
            readonly category_id?: string | null;
            readonly collection_id?: string | null;
            readonly key?: string;
            readonly label?: string;
            /** @enum {string} */
            readonly type?: "text" | "number" | "boolean" | "select";
            readonly values?: readonly string[];
            readonly unit?: string | null;
            readonly is_filterable?: boolean;
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
        readonly ListBillingPlansResult: {
            readonly items: readonly components["schemas"]["BillingPlan"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateBillingPlanRequest: {
            readonly name: string;
            /** @enum {string} */
            readonly interval: "day" | "week" | "month" | "year";
            readonly interval_count?: number;
            /** @example 12.50 */
            readonly price: string;
            readonly trial_days?: number;
            readonly min_quantity?: number;
            /** @example 12.50 */
            readonly min_order_value?: string;
        };
        readonly UpdateBillingPlanRequest: {
            readonly name?: string;
            /** @enum {string} */
            readonly interval?: "day" | "week" | "month" | "year";
            readonly interval_count?: number;
            /** @example 12.50 */
            readonly price?: string;
            readonly trial_days?: number;
            readonly min_quantity?: number;
            /** @example 12.50 */
            readonly min_order_value?: string;
        };
        readonly BundleRecord: components["schemas"]["ProductRecord"] & {
            readonly product_id: string;
            readonly components: readonly {
                readonly component_id: string;
                readonly name: string;
                readonly product_id: string;
                readonly default_variant_id: string | null;
                readonly quantity: number;
                readonly is_swappable: boolean;
            }[];
            readonly pricing: {
                /** @enum {string} */
                readonly type: "fixed" | "percent_off" | "amount_off";
                readonly value: string;
            };
        };
        readonly ListBundlesResult: {
            readonly items: readonly components["schemas"]["BundleRecord"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly BundleComponentFields: {
            readonly component_id?: string;
            readonly name: string;
            readonly product_id: string;
            /** @default null */
            readonly default_variant_id?: string | null;
            /** @default 1 */
            readonly quantity?: number;
            /** @default false */
            readonly is_swappable?: boolean;
        };
        readonly BundlePricing: {
            /** @enum {string} */
            readonly type: "fixed";
            /** @example 12.50 */
            readonly value?: string;
        } | {
            /** @enum {string} */
            readonly type: "percent_off";
            /** @example 12.5 */
            readonly value: string;
        } | {
            /** @enum {string} */
            readonly type: "amount_off";
            /** @example 12.50 */
            readonly value: string;
        };
        readonly CreateBundleRequest: {
            readonly name: string;
            readonly slug?: string | null;
            readonly description?: string;
            readonly category_id?: string | null;
            /** @example 12.50 */
            readonly default_price?: string;
            /** @example 12.50 */
            readonly compare_at_price?: string | null;
            /** @example reduced */
            readonly tax_class?: string;
            /** @enum {string} */
            readonly inventory_type?: "none" | "tracked" | "variant_level";
            readonly is_active?: boolean;
            readonly featured?: boolean;
            readonly tags?: readonly string[];
            readonly properties?: {
                readonly [key: string]: unknown;
            };
            readonly taxonomy_id?: string | null;
            readonly images?: readonly components["schemas"]["ImageFields"][];
            readonly variant_axes?: readonly {
                readonly name: string;
                readonly label: string;
                readonly values: readonly string[];
            }[];
            readonly variants?: readonly components["schemas"]["VariantFields"][];
            readonly add_ons?: readonly components["schemas"]["AddOnGroupFields"][];
            readonly price_overrides?: readonly components["schemas"]["PriceOverride"][];
            readonly schedules?: readonly components["schemas"]["ScheduleFields"][];
            readonly billing_plan_ids?: readonly string[];
            readonly weight_grams?: number;
            readonly requires_shipping?: boolean;
            readonly components: readonly components["schemas"]["BundleComponentFields"][];
            readonly pricing?: components["schemas"]["BundlePricing"];
        };
        readonly UpdateBundleRequest: {
            readonly name?: string;
            readonly slug?: string | null;
            readonly description?: string;
            readonly category_id?: string | null;
            /** @example 12.50 */
            readonly default_price?: string;
            /** @example 12.50 */
            readonly compare_at_price?: string | null;
            /** @example reduced */
            readonly tax_class?: string;
            /** @enum {string} */
            readonly inventory_type?: "none" | "tracked" | "variant_level";
            readonly is_active?: boolean;
            readonly featured?: boolean;
            readonly tags?: readonly string[];
            readonly properties?: {
                readonly [key: string]: unknown;
            };
            readonly taxonomy_id?: string | null;
            readonly images?: readonly components["schemas"]["ImageFields"][];
            readonly variant_axes?: readonly {
                readonly name: string;
                readonly label: string;
                readonly values: readonly string[];
            }[];
            readonly variants?: readonly components["schemas"]["VariantFields"][];
            readonly add_ons?: readonly components["schemas"]["AddOnGroupFields"][];
            readonly price_overrides?: readonly components["schemas"]["PriceOverride"][];
            readonly schedules?: readonly components["schemas"]["ScheduleFields"][];
            readonly billing_plan_ids?: readonly string[];
            readonly weight_grams?: number;
            readonly requires_shipping?: boolean;
            readonly components?: readonly components["schemas"]["BundleComponentFields"][];
            readonly pricing?: components["schemas"]["BundlePricing"];
        };
        readonly CompositeRecord: components["schemas"]["ProductRecord"] & {
            readonly product_id: string;
            readonly base_price: string;
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
        readonly ListCompositesResult: {
            readonly items: readonly components["schemas"]["CompositeRecord"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CompositeGroupFields: {
            readonly id?: string;
            readonly name: string;
            /** @default 0 */
            readonly min_selections?: number;
            /** @default 1 */
            readonly max_selections?: number;
            readonly components: readonly {
                readonly component_id?: string;
                readonly name: string;
                /**
                 * @default 0
                 * @example 12.50
                 */
                readonly price?: string;
                /** @default null */
                readonly product_id?: string | null;
            }[];
        };
        readonly CreateCompositeRequest: {
            readonly name: string;
            readonly slug?: string | null;
            readonly description?: string;
            readonly category_id?: string | null;
            /** @example 12.50 */
            readonly default_price?: string;
            /** @example 12.50 */
            readonly compare_at_price?: string | null;
            /** @example reduced */
            readonly tax_class?: string;
            /** @enum {string} */
            readonly inventory_type?: "none" | "tracked" | "variant_level";
            readonly is_active?: boolean;
            readonly featured?: boolean;
            readonly tags?: readonly string[];
            readonly properties?: {
                readonly [key: string]: unknown;
            };
            readonly taxonomy_id?: string | null;
            readonly images?: readonly components["schemas"]["ImageFields"][];
            readonly variant_axes?: readonly {
                readonly name: string;
                readonly label: string;
                readonly values: readonly string[];
            }[];
            readonly variants?: readonly components["schemas"]["VariantFields"][];
            readonly add_ons?: readonly components["schemas"]["AddOnGroupFields"][];
            readonly price_overrides?: readonly components["schemas"]["PriceOverride"][];
            readonly schedules?: readonly components["schemas"]["ScheduleFields"][];
            readonly billing_plan_ids?: readonly string[];
            readonly weight_grams?: number;
            readonly requires_shipping?: boolean;
            /** @example 12.50 */
            readonly base_price: string;
            readonly groups: readonly components["schemas"]["CompositeGroupFields"][];
        };
        readonly UpdateCompositeRequest: {
            readonly name?: string;
            readonly slug?: string | null;
            readonly description?: string;
            readonly category_id?: string | null;
            /** @example 12.50 */
            readonly default_price?: string;
            /** @example 12.50 */
            readonly compare_at_price?: string | null;
            /** @example reduced */
            readonly tax_class?: string;
            /** @enum {string} */
            readonly inventory_type?: "none" | "tracked" | "variant_level";
            readonly is_active?: boolean;
            readonly featured?: boolean;
            readonly tags?: readonly string[];
            readonly properties?: {
                readonly [key: string]: unknown;
            };
            readonly taxonomy_id?: string | null;
            readonly images?: readonly components["schemas"]["ImageFields"][];
            readonly variant_axes?: readonly {
                readonly name: string;
                readonly label: string;
                readonly values: readonly string[];
            }[];
            readonly variants?: readonly components["schemas"]["VariantFields"][];
            readonly add_ons?: readonly components["schemas"]["AddOnGroupFields"][];
            readonly price_overrides?: readonly components["schemas"]["PriceOverride"][];
            readonly schedules?: readonly components["schemas"]["ScheduleFields"][];
            readonly billing_plan_ids?: readonly string[];
            readonly weight_grams?: number;
            readonly requires_shipping?: boolean;
            /** @example 12.50 */
            readonly base_price?: string;
            readonly groups?: readonly components["schemas"]["CompositeGroupFields"][];
        };
        readonly MerchantDeal: components["schemas"]["Deal"] & {
            /** @description The groups whose customers may use the deal. Null: everybody. */
            readonly customer_group_ids: readonly string[] | null;
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
        readonly ListDealsResult: {
            readonly items: readonly components["schemas"]["MerchantDeal"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateDealRequest: {
            /** @example TEA-10 */
            readonly code?: string | null;
            readonly name: string;
            readonly description?: string;
            /** @enum {string} */
            readonly discount_type: "percentage" | "fixed_amount" | "free_delivery" | "buy_x_get_y" | "tiered";
            /** @example 12.50 */
            readonly value?: string | null;
            readonly buy_quantity?: number | null;
            readonly buy_scope?: {
                /** @enum {string} */
                readonly scope: "order" | "product" | "category" | "collection";
                /** @default [] */
                readonly ids?: readonly string[];
            } | null;
            readonly get_quantity?: number | null;
            readonly get_scope?: {
                /** @enum {string} */
                readonly scope: "order" | "product" | "category" | "collection";
                /** @default [] */
                readonly ids?: readonly string[];
            } | null;
            /** @example 12.5 */
            readonly percent?: string | null;
            readonly max_uses_per_order?: number | null;
            readonly tiers?: readonly {
                readonly min_quantity: number;
                /** @example 12.5 */
                readonly percent: string;
            }[] | null;
            readonly combines_with?: readonly ("product" | "order" | "delivery")[] | null;
            readonly customer_group_ids?: readonly string[] | null;
            /** @example 12.50 */
            readonly min_order_subtotal?: string | null;
            /** @example 12.50 */
            readonly max_discount?: string | null;
            readonly applies_to?: {
                /** @enum {string} */
                readonly scope: "order" | "product" | "category" | "collection";
                /** @default [] */
                readonly ids?: readonly string[];
            };
            /** Format: date-time */
            readonly starts_at?: string | null;
            /** Format: date-time */
            readonly ends_at?: string | null;
            readonly usage_limit?: number | null;
            readonly per_customer_limit?: number | null;
            readonly is_active?: boolean;
        };
        readonly UpdateDealRequest: {
            /** @example TEA-10 */
            readonly code?: string | null;
            readonly name?: string;
            readonly description?: string;
            /** @enum {string} */
            readonly discount_type?: "percentage" | "fixed_amount" | "free_delivery" | "buy_x_get_y" | "tiered";
            /** @example 12.50 */
            readonly value?: string | null;
            readonly buy_quantity?: number | null;
            readonly buy_scope?: {
                /** @enum {string} */
                readonly scope: "order" | "product" | "category" | "collection";
                /** @default [] */
                readonly ids?: readonly string[];
            } | null;
            readonly get_quantity?: number | null;
            readonly get_scope?: {
                /** @enum {string} */
                readonly scope: "order" | "product" | "category" | "collection";
                /** @default [] */
                readonly ids?: readonly string[];
            } | null;
            /** @example 12.5 */
            readonly percent?: string | null;
            readonly max_uses_per_order?: number | null;
            readonly tiers?: readonly {
                readonly min_quantity: number;
                /** @example 12.5 */
                readonly percent: string;
            }[] | null;
            readonly combines_with?: readonly ("product" | "order" | "delivery")[] | null;
            readonly customer_group_ids?: readonly string[] | null;
            /** @example 12.50 */
            readonly min_order_subtotal?: string | null;
            /** @example 12.50 */
            readonly max_discount?: string | null;
            readonly applies_to?: {
                /** @enum {string} */
                readonly scope: "order" | "product" | "category" | "collection";
                /** @default [] */
                readonly ids?: readonly string[];
            };
            /** Format: date-time */
            readonly starts_at?: string | null;
            /** Format: date-time */
            readonly ends_at?: string | null;
            readonly usage_limit?: number | null;
            readonly per_customer_limit?: number | null;
            readonly is_active?: boolean;
        };
        readonly SetStockLevelRequest: {
            readonly quantity_on_hand: number;
            readonly low_stock_threshold?: number | null;
        };
        readonly StockLevel: {
            readonly product_id: string;
            readonly variant_id: string | null;
            readonly location_id: string;
            readonly quantity_on_hand: number;
            readonly quantity_reserved: number;
            readonly quantity_available: number;
            readonly low_stock_threshold: number | null;
            readonly low_stock: boolean;
            readonly updated_at: string;
        };
        readonly AdjustStockLevelRequest: {
            readonly delta: number;
            readonly reason: string;
        };
        readonly StockMovement: {
            readonly id: string;
            readonly on_hand_delta: number;
            readonly reserved_delta: number;
            readonly reason: string;
            readonly order_id: string | null;
            readonly actor: string;
            readonly created_at: string;
        };
        readonly ListStockMovementsResult: {
            readonly items: readonly components["schemas"]["StockMovement"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly ListStockLevelsResult: {
            readonly items: readonly components["schemas"]["StockLevel"][];
            readonly pagination: components["schemas"]["Pagination"];
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
        readonly TaxLine: {
            readonly name: string;
            readonly rate_percent: string;
            readonly taxable_amount: string;
            readonly amount: string;
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
        readonly Refund: {
            readonly id: string;
            readonly order_id: string;
            readonly payment_id: string;
            readonly payment_reference: string | null;
            readonly amount: string;
            readonly tax_amount: string;
            readonly currency: string;
            /** @enum {string} */
            readonly status: "pending" | "refund_due" | "refunded" | "failed";
            readonly reason: string | null;
            readonly restocked: boolean;
            readonly failure_reason: string | null;
            readonly created_at: string;
            readonly settled_at: string | null;
        };
        readonly MerchantOrder: components["schemas"]["Order"] & {
            readonly customer_email: string | null;
            readonly customer_phone: string | null;
            readonly customer_notes: string | null;
            readonly metadata: {
                readonly [key: string]: Record<string, unknown> | readonly unknown[] | string | number | boolean | null;
            };
            readonly tags: readonly string[];
            readonly agent: {
                readonly profile_url: string;
            } | null;
            readonly payment: {
                readonly id: string;
                readonly reference: string;
                readonly provider: string;
                readonly method: string;
                readonly status: string;
                readonly payment_status: string;
                /** @enum {string} */
                readonly provider_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
                readonly amount: string;
                readonly currency: string;
                readonly settled_at: string | null;
                readonly receipt: {
                    readonly method: string;
                    readonly reference: string | null;
                } | null;
                readonly mismatch: {
                    readonly reference: string;
                    readonly amount: string;
                    readonly currency: string;
                } | null;
                readonly dispute: {
                    /** @enum {string} */
                    readonly status: "needs_response" | "under_review" | "won" | "lost" | "warning_needs_response" | "warning_under_review" | "warning_closed" | "prevented";
                    readonly reason: string;
                    readonly amount: string;
                    readonly currency: string;
                    readonly due_by: string | null;
                    readonly updated_at: string;
                } | null;
                readonly refunds: readonly components["schemas"]["Refund"][];
            };
            readonly payments: readonly {
                readonly payment_id: string;
                readonly payment_reference: string;
                readonly payment_method: string;
                readonly payment_status: string;
                /** @enum {string} */
                readonly provider_status: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded";
                readonly amount: string;
                readonly currency: string;
                readonly created_at: string;
            }[];
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
        readonly ListOrdersResult: {
            readonly items: readonly components["schemas"]["MerchantOrder"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly ChangeOrderStatusesRequest: {
            readonly order_ids: readonly string[];
            /** @enum {string} */
            readonly status: "confirmed" | "preparing" | "ready" | "completed";
        };
        readonly OrderStatusChange: {
            readonly order_id: string;
            /** @enum {string|null} */
            readonly status: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled" | null;
            readonly error: {
                /** @enum {string} */
                readonly code: "NOT_FOUND" | "INVALID_STATE";
                readonly message: string;
            } | null;
        };
        readonly OrderStatusChanges: {
            readonly results: readonly components["schemas"]["OrderStatusChange"][];
        };
        readonly UpdateOrderRequest: {
            readonly tags: readonly string[];
        };
        readonly Note: {
            readonly id: string;
            readonly text: string;
            /** @description The id of the key that wrote the note. */
            readonly author: string;
            readonly created_at: string;
        };
        readonly ListOrderNotesResult: {
            readonly items: readonly components["schemas"]["Note"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly AddOrderNoteRequest: {
            readonly text: string;
        };
        readonly ChangeOrderStatusRequest: {
            /** @enum {string} */
            readonly status: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled";
        };
        readonly CancelOrderRequest: {
            readonly reason?: string | null;
        };
        readonly RefundOrderRequest: {
            /** @example 12.50 */
            readonly amount?: string | null;
            readonly reason?: string | null;
            /** @default false */
            readonly restock?: boolean;
        };
        readonly PaymentLink: {
            readonly url: string;
            readonly expires_at: string;
        };
        readonly MarkOrderPaidRequest: {
            /** @default cash */
            readonly method?: string;
            readonly reference?: string | null;
        };
        readonly MerchantShipment: components["schemas"]["Shipment"] & {
            readonly notify: boolean;
        };
        readonly ListShipmentsResult: {
            readonly items: readonly components["schemas"]["MerchantShipment"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateShipmentRequest: {
            readonly items?: readonly {
                readonly order_item_id: string;
                readonly quantity: number;
            }[] | null;
            readonly location_id?: string | null;
            readonly carrier?: string | null;
            readonly tracking_number?: string | null;
            readonly tracking_url?: string | null;
            /**
             * @default shipped
             * @enum {string}
             */
            readonly status?: "label_created" | "shipped" | "in_transit" | "delivered";
            /** @default true */
            readonly notify?: boolean;
        };
        readonly UpdateShipmentRequest: {
            readonly carrier?: string | null;
            readonly tracking_number?: string | null;
            readonly tracking_url?: string | null;
            /** @enum {string} */
            readonly status?: "label_created" | "shipped" | "in_transit" | "delivered" | "failed" | "returned";
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
        readonly ListSubscriptionsResult: {
            readonly items: readonly components["schemas"]["Subscription"][];
            readonly pagination: components["schemas"]["Pagination"];
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
            /** @enum {string} */
            readonly when?: "at_period_end" | "now";
            readonly at_period_end?: boolean;
            readonly now?: boolean;
            readonly reason?: string | null;
        };
        readonly MerchantCustomer: components["schemas"]["Customer"] & {
            readonly email_verified_at: string | null;
            readonly phone_verified_at: string | null;
            readonly tags: readonly string[];
            readonly is_tax_exempt: boolean;
            readonly created_at: string;
            readonly updated_at: string;
            readonly erased_at: string | null;
        };
        readonly Customer: {
            readonly id: string;
            readonly name: string | null;
            readonly email: string | null;
            readonly phone: string | null;
            readonly pending_email: string | null;
            readonly pending_phone: string | null;
        };
        readonly ListCustomersResult: {
            readonly items: readonly components["schemas"]["MerchantCustomer"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateCustomerRequest: {
            readonly name?: string | null;
            readonly email?: string | null;
            readonly phone?: string | null;
            readonly tags?: readonly string[];
            readonly is_tax_exempt?: boolean;
        };
        readonly ListCustomerNotesResult: {
            readonly items: readonly components["schemas"]["Note"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly MerchantConversation: components["schemas"]["Conversation"] & {
            readonly unread_count: number;
            readonly customer_id: string | null;
        };
        readonly ConversationPage: {
            readonly conversation: components["schemas"]["MerchantConversation"];
            readonly messages: readonly components["schemas"]["Message"][];
        };
        readonly PersonalData: {
            readonly customer: components["schemas"]["MerchantCustomer"];
            readonly orders: readonly components["schemas"]["MerchantOrder"][];
            readonly bookings: readonly components["schemas"]["Booking"][];
            readonly mobile_money_numbers: readonly {
                readonly order_id: string;
                readonly phone_number: string | null;
            }[];
            readonly deal_uses: readonly {
                readonly deal_id: string;
                readonly order_id: string;
                readonly redeemed_at: string;
            }[];
            readonly customer_groups: readonly {
                readonly id: string;
                readonly name: string;
                readonly added_at: string;
            }[];
            readonly subscriptions: readonly {
                readonly id: string;
                readonly plan: string;
                readonly products: readonly string[];
                readonly mobile_money_number: string | null;
                readonly started_at: string;
                readonly cancelled_at: string | null;
                readonly cancellation_reason: string | null;
            }[];
            readonly uploads: readonly {
                readonly id: string;
                readonly filename: string;
                readonly content_type: string;
                readonly size_bytes: number;
                readonly created_at: string;
            }[];
            readonly notes: readonly (components["schemas"]["Note"] & {
                readonly subject_id: string;
            })[];
            readonly messages: readonly components["schemas"]["OutgoingMessage"][];
            readonly linked_orders: readonly {
                readonly order_id: string;
                readonly account_id: string;
                readonly linked_at: string;
            }[];
            readonly support_conversations: readonly components["schemas"]["ConversationPage"][];
        };
        readonly CustomerGroup: {
            readonly id: string;
            readonly name: string;
            /** @description In the order of the ids. */
            readonly customer_ids: readonly string[];
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly ListCustomerGroupsResult: {
            readonly items: readonly components["schemas"]["CustomerGroup"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateCustomerGroupRequest: {
            readonly name: string;
            readonly customer_ids?: readonly string[];
        };
        readonly UpdateCustomerGroupRequest: {
            readonly name?: string;
            readonly customer_ids?: readonly string[];
            readonly add_customer_ids?: readonly string[];
            readonly remove_customer_ids?: readonly string[];
        };
        readonly SalesReport: {
            readonly orders: number;
            readonly revenue: string;
            readonly average: string;
            readonly from: string;
            readonly to: string;
            /** @enum {string} */
            readonly interval: "day" | "week" | "month";
            readonly timezone: string;
            readonly currency: string;
            readonly intervals: readonly {
                readonly orders: number;
                readonly revenue: string;
                readonly average: string;
                readonly start: string;
                readonly end: string;
            }[];
            readonly top_products: readonly {
                readonly product_id: string;
                readonly product_name: string;
                readonly quantity: number;
                readonly revenue: string;
            }[];
        };
        readonly TaxFigures: {
            readonly name: string;
            readonly rate_percent: string | null;
            readonly inclusive: boolean | null;
            readonly currency: string;
            readonly orders: number;
            readonly taxable_amount: string;
            readonly tax_amount: string;
        };
        readonly TaxReport: {
            readonly from: string;
            readonly to: string;
            /** @enum {string} */
            readonly interval: "day" | "week" | "month";
            readonly timezone: string;
            readonly location_id: string | null;
            readonly rates: readonly components["schemas"]["TaxFigures"][];
            readonly intervals: readonly {
                readonly start: string;
                readonly end: string;
                readonly rates: readonly components["schemas"]["TaxFigures"][];
            }[];
        };
        readonly CustomerSales: {
            readonly customer_id: string;
            readonly name: string | null;
            readonly email: string | null;
            readonly phone: string | null;
            readonly is_new: boolean;
            readonly orders: number;
            readonly revenue: string;
        };
        readonly CustomerReport: {
            readonly items: readonly components["schemas"]["CustomerSales"][];
            readonly pagination: components["schemas"]["Pagination"];
            readonly from: string;
            readonly to: string;
            readonly timezone: string;
            readonly currency: string;
            readonly new_customers: number;
            readonly returning_customers: number;
            readonly orders: number;
            readonly revenue: string;
            readonly guests: {
                readonly orders: number;
                readonly revenue: string;
            };
        };
        readonly ValuedStockLevel: {
            readonly product_id: string;
            readonly product_name: string;
            readonly variant_id: string | null;
            readonly variant_name: string | null;
            readonly location_id: string;
            readonly quantity_on_hand: number;
            readonly quantity_reserved: number;
            readonly quantity_available: number;
            readonly low_stock_threshold: number;
            readonly low_stock: boolean;
            readonly unit_price: string;
            readonly stock_value: string | null;
        };
        readonly StockReport: {
            readonly items: readonly components["schemas"]["ValuedStockLevel"][];
            readonly pagination: components["schemas"]["Pagination"];
            readonly currency: string;
            readonly totals: {
                readonly quantity_on_hand: number;
                readonly quantity_reserved: number;
                readonly stock_value: string | null;
            } | null;
        };
        readonly ListedBooking: components["schemas"]["Booking"] & {
            readonly customer_name: string | null;
            readonly order_number: string;
        };
        readonly Today: {
            readonly date: string;
            readonly timezone: string;
            readonly currency: string;
            readonly orders: {
                readonly to_confirm: number;
                readonly confirmed: number;
                readonly preparing: number;
                readonly ready: number;
                readonly unpaid: number;
            } | null;
            readonly bookings: {
                readonly total: number;
                readonly upcoming: readonly components["schemas"]["ListedBooking"][];
            } | null;
            readonly sales: {
                readonly orders: number;
                readonly revenue: string;
                readonly days: readonly {
                    readonly date: string;
                    readonly orders: number;
                    readonly revenue: string;
                }[];
            } | null;
            readonly low_stock: {
                readonly total: number;
                readonly levels: readonly {
                    readonly product_id: string;
                    readonly product_name: string;
                    readonly variant_id: string | null;
                    readonly variant_name: string | null;
                    readonly location_id: string;
                    readonly quantity_available: number;
                }[];
            } | null;
            readonly conversations: {
                readonly unanswered: number;
            } | null;
        };
        readonly ConversationSummary: components["schemas"]["MerchantConversation"] & {
            readonly customer_name: string | null;
        };
        readonly ListConversationsResult: {
            readonly items: readonly components["schemas"]["ConversationSummary"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly SendConversationMessageRequest: {
            /** @description 1 to 4,000 characters after trimming. */
            readonly content: string;
            /** @default [] */
            readonly attachments?: readonly {
                readonly url: string;
                readonly filename?: string | null;
                readonly content_type?: string | null;
                readonly size_bytes?: number | null;
            }[];
            readonly client_id?: string | null;
        };
        readonly MarkConversationReadRequest: {
            /** Format: date-time */
            readonly until?: string;
        };
        readonly SocketTicket: {
            readonly ticket: string;
            readonly url: string;
            readonly expires_in_secs: number;
        };
        readonly ServiceRecord: components["schemas"]["ProductRecord"] & {
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
            readonly price: string;
        };
        readonly ListServicesResult: {
            readonly items: readonly components["schemas"]["ServiceRecord"][];
            readonly pagination: components["schemas"]["Pagination"];
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
        readonly CreateServiceRequest: {
            readonly name: string;
            readonly slug?: string | null;
            readonly description?: string;
            readonly category_id?: string | null;
            /** @example 12.50 */
            readonly default_price: string;
            /** @example 12.50 */
            readonly compare_at_price?: string | null;
            /** @example reduced */
            readonly tax_class?: string;
            /** @enum {string} */
            readonly inventory_type?: "none" | "tracked" | "variant_level";
            readonly is_active?: boolean;
            readonly featured?: boolean;
            readonly tags?: readonly string[];
            readonly properties?: {
                readonly [key: string]: unknown;
            };
            readonly taxonomy_id?: string | null;
            readonly images?: readonly components["schemas"]["ImageFields"][];
            readonly variant_axes?: readonly {
                readonly name: string;
                readonly label: string;
                readonly values: readonly string[];
            }[];
            readonly variants?: readonly components["schemas"]["VariantFields"][];
            readonly add_ons?: readonly components["schemas"]["AddOnGroupFields"][];
            readonly price_overrides?: readonly components["schemas"]["PriceOverride"][];
            readonly schedules?: readonly components["schemas"]["ScheduleFields"][];
            readonly billing_plan_ids?: readonly string[];
            readonly weight_grams?: number;
            readonly requires_shipping?: boolean;
            readonly duration_minutes: number;
            readonly buffer_minutes?: number;
            readonly capacity?: number;
            readonly slot_interval_minutes?: number;
            readonly min_notice_minutes?: number;
            readonly booking_window_days?: number;
            readonly cancellation_notice_minutes?: number;
            readonly require_verified_contact?: boolean;
            readonly location_ids?: readonly string[];
            readonly staff_ids?: readonly string[];
            readonly resource_ids?: readonly string[];
        };
        readonly UpdateServiceRequest: {
            readonly name?: string;
            readonly slug?: string | null;
            readonly description?: string;
            readonly category_id?: string | null;
            /** @example 12.50 */
            readonly default_price?: string;
            /** @example 12.50 */
            readonly compare_at_price?: string | null;
            /** @example reduced */
            readonly tax_class?: string;
            /** @enum {string} */
            readonly inventory_type?: "none" | "tracked" | "variant_level";
            readonly is_active?: boolean;
            readonly featured?: boolean;
            readonly tags?: readonly string[];
            readonly properties?: {
                readonly [key: string]: unknown;
            };
            readonly taxonomy_id?: string | null;
            readonly images?: readonly components["schemas"]["ImageFields"][];
            readonly variant_axes?: readonly {
                readonly name: string;
                readonly label: string;
                readonly values: readonly string[];
            }[];
            readonly variants?: readonly components["schemas"]["VariantFields"][];
            readonly add_ons?: readonly components["schemas"]["AddOnGroupFields"][];
            readonly price_overrides?: readonly components["schemas"]["PriceOverride"][];
            readonly schedules?: readonly components["schemas"]["ScheduleFields"][];
            readonly billing_plan_ids?: readonly string[];
            readonly weight_grams?: number;
            readonly requires_shipping?: boolean;
            readonly duration_minutes?: number;
            readonly buffer_minutes?: number;
            readonly capacity?: number;
            readonly slot_interval_minutes?: number;
            readonly min_notice_minutes?: number;
            readonly booking_window_days?: number;
            readonly cancellation_notice_minutes?: number;
            readonly require_verified_contact?: boolean;
            readonly location_ids?: readonly string[];
            readonly staff_ids?: readonly string[];
            readonly resource_ids?: readonly string[];
        };
        readonly ListBookingsResult: {
            readonly items: readonly components["schemas"]["ListedBooking"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly NewBooking: {
            readonly service_id: string;
            /** Format: date-time */
            readonly start_time: string;
            readonly variant_id?: string | null;
            readonly staff_id?: string | null;
            readonly location_id?: string | null;
            readonly add_on_options?: readonly string[] | null;
            /** @default 1 */
            readonly participant_count?: number;
            readonly customer: {
                readonly name?: string | null;
                readonly email?: string | null;
                readonly phone?: string | null;
                readonly notes?: string | null;
            };
            /**
             * @default cash
             * @enum {string}
             */
            readonly payment?: "cash" | "link";
        };
        readonly CreatedBooking: components["schemas"]["ListedBooking"] & {
            readonly payment_link: components["schemas"]["PaymentLink"] | null;
        };
        readonly ChangeBookingStatusRequest: {
            /** @enum {string} */
            readonly status: "completed" | "no_show";
        };
        readonly CancelBookingRequest: {
            readonly reason?: string | null;
        };
        readonly RescheduleBookingRequest: {
            /** Format: date-time */
            readonly new_start_time: string;
            /** Format: date-time */
            readonly new_end_time: string;
            readonly new_staff_id?: string | null;
            readonly reason?: string | null;
            /** @enum {string|null} */
            readonly reschedule_type?: "customer" | "business" | "system" | null;
        };
        readonly StaffMember: {
            readonly id: string;
            readonly name: string;
            readonly hours: {
                readonly [key: string]: readonly {
                    readonly open: string;
                    readonly close: string;
                }[];
            } | null;
            readonly time_off: readonly {
                readonly from: string;
                readonly to: string;
                readonly reason: string | null;
            }[];
            readonly created_at: string;
            readonly updated_at: string;
            readonly archived_at: string | null;
        };
        readonly ListStaffMembersResult: {
            readonly items: readonly components["schemas"]["StaffMember"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateStaffMemberRequest: {
            readonly name: string;
            readonly hours?: {
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
            } | null;
            readonly time_off?: readonly ({
                /** Format: date */
                readonly date: string;
                /** @default null */
                readonly reason?: string | null;
            } | {
                /** Format: date */
                readonly from: string;
                /** Format: date */
                readonly to: string;
                /** @default null */
                readonly reason?: string | null;
            })[];
        };
        readonly UpdateStaffMemberRequest: {
            readonly name?: string;
            readonly hours?: {
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
            } | null;
            readonly time_off?: readonly ({
                /** Format: date */
                readonly date: string;
                /** @default null */
                readonly reason?: string | null;
            } | {
                /** Format: date */
                readonly from: string;
                /** Format: date */
                readonly to: string;
                /** @default null */
                readonly reason?: string | null;
            })[];
        };
        readonly Resource: {
            readonly id: string;
            readonly name: string;
            readonly capacity: number;
            readonly created_at: string;
            readonly updated_at: string;
            readonly archived_at: string | null;
        };
        readonly ListResourcesResult: {
            readonly items: readonly components["schemas"]["Resource"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly CreateResourceRequest: {
            readonly name: string;
            readonly capacity?: number;
        };
        readonly UpdateResourceRequest: {
            readonly name?: string;
            readonly capacity?: number;
        };
        readonly Import: {
            readonly import_id: string;
            readonly products_created: number;
            readonly products_updated: number;
            readonly products_unchanged: number;
            readonly variants: number;
            readonly rows: number;
            readonly rejected: readonly {
                readonly row: number;
                readonly field: string;
                readonly message: string;
            }[];
            readonly rejected_total: number;
        };
        readonly BusinessExport: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "completed" | "failed";
            readonly row_count: number;
            readonly size_bytes: number;
            readonly url: string | null;
            readonly error: string | null;
            readonly created_at: string;
            readonly completed_at: string | null;
            readonly expires_at: string | null;
        };
        readonly ListExportsResult: {
            readonly items: readonly components["schemas"]["BusinessExport"][];
            readonly pagination: components["schemas"]["Pagination"];
        };
        readonly BusinessImport: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "completed" | "failed";
            readonly row_count: number;
            readonly size_bytes: number;
            readonly error: {
                readonly line: number | null;
                readonly reason: string;
            } | null;
            readonly created_at: string;
            readonly completed_at: string | null;
        };
        readonly StartAssetUploadRequest: {
            /** @default  */
            readonly folder?: string;
            readonly filename: string;
            readonly content_type: string;
            readonly size_bytes: number;
        };
        readonly StartAssetUploadResult: {
            readonly data: {
                readonly upload_id: string;
                readonly upload_url: string;
                readonly expires_in_secs: number;
                readonly public_url_preview: string;
            };
        };
        readonly ConfirmAssetRequest: {
            readonly upload_id: string;
        };
        readonly File: {
            readonly id: string;
            readonly url: string;
            readonly filename: string;
            readonly content_type: string;
            readonly size_bytes: number;
        };
        readonly Asset: components["schemas"]["File"] & {
            readonly folder_path: string;
            readonly created_at: string;
        };
        readonly ListAssetsResult: {
            readonly data: {
                readonly assets: readonly components["schemas"]["Asset"][];
                readonly pagination: {
                    readonly page: number;
                    readonly limit: number;
                    readonly total: number;
                };
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    readonly listBusinesses: {
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
                        readonly data: components["schemas"]["ListBusinessesResult"];
                    };
                };
            };
        };
    };
    readonly createBusiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateBusinessRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CreatedBusiness"];
                    };
                };
            };
        };
    };
    readonly getBusiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["BusinessAccount"];
                    };
                };
            };
        };
    };
    readonly updateBusiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BusinessFields"];
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
                        readonly data: components["schemas"]["BusinessAccount"];
                    };
                };
            };
        };
    };
    readonly suspendBusiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["BusinessAccount"];
                    };
                };
            };
        };
    };
    readonly resumeBusiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["BusinessAccount"];
                    };
                };
            };
        };
    };
    readonly closeBusiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["BusinessAccount"];
                    };
                };
            };
        };
    };
    readonly moveBusiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MoveBusinessRequest"];
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
                        readonly data: components["schemas"]["BusinessMove"];
                    };
                };
            };
        };
    };
    readonly listOrganizationKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the organization. */
                readonly organization_id: string;
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
                        readonly data: components["schemas"]["ListOrganizationKeysResult"];
                    };
                };
            };
        };
    };
    readonly createOrganizationKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the organization. */
                readonly organization_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateOrganizationKeyRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["NewApiKey"];
                    };
                };
            };
        };
    };
    readonly revokeOrganizationKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the organization. */
                readonly organization_id: string;
                /** @description The id of the key. */
                readonly key_id: string;
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
                        readonly data: components["schemas"]["ApiKey"];
                    };
                };
            };
        };
    };
    readonly getOperatorStatus: {
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
                        readonly data: components["schemas"]["OperatorStatus"];
                    };
                };
            };
        };
    };
    readonly listReconciliationDifferences: {
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
                        readonly data: components["schemas"]["ListReconciliationDifferencesResult"];
                    };
                };
            };
        };
    };
    readonly getMetrics: {
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
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly listDeadLetters: {
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
                        readonly data: components["schemas"]["ListDeadLettersResult"];
                    };
                };
            };
        };
    };
    readonly retryDeadLetters: {
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
                        readonly data: components["schemas"]["RetryDeadLettersResult"];
                    };
                };
            };
        };
    };
    readonly retryDeadLetter: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the dead letter. */
                readonly dead_letter_id: string;
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
                        readonly data: components["schemas"]["DeadLetter"];
                    };
                };
            };
        };
    };
    readonly checkBooks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CheckBooksRequest"];
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
                        readonly data: components["schemas"]["BooksReport"];
                    };
                };
            };
        };
    };
    readonly listOperators: {
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
                        readonly data: components["schemas"]["ListOperatorsResult"];
                    };
                };
            };
        };
    };
    readonly addOperator: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddOperatorRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ConsoleUser"];
                    };
                };
            };
        };
    };
    readonly removeOperator: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the user. */
                readonly user_id: string;
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
                        readonly data: components["schemas"]["ConsoleUser"];
                    };
                };
            };
        };
    };
    readonly rotateCredentials: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RotateCredentialsRequest"];
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
                        readonly data: components["schemas"]["CredentialsRotation"];
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
                        readonly data: components["schemas"]["ConsoleLogin"];
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
    readonly getMe: {
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
                        readonly data: components["schemas"]["ConsoleLogin"];
                    };
                };
            };
        };
    };
    readonly deleteMe: {
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
    readonly createPasskeyOptions: {
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
                        readonly data: components["schemas"]["PasskeyRegistrationOptions"];
                    };
                };
            };
        };
    };
    readonly registerPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RegisterPasskeyRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Passkey"];
                    };
                };
            };
        };
    };
    readonly createPasskeyLoginOptions: {
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
                        readonly data: components["schemas"]["PasskeyLoginOptions"];
                    };
                };
            };
        };
    };
    readonly logInWithPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RegisterPasskeyRequest"];
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
                        readonly data: components["schemas"]["ConsoleLogin"];
                    };
                };
            };
        };
    };
    readonly listPasskeys: {
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
                        readonly data: readonly components["schemas"]["Passkey"][];
                    };
                };
            };
        };
    };
    readonly deletePasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the passkey. */
                readonly passkey_id: string;
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
                        readonly data: components["schemas"]["Passkey"];
                    };
                };
            };
        };
    };
    readonly listMembers: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListMembersResult"];
                    };
                };
            };
        };
    };
    readonly inviteMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["InviteMemberRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Member"];
                    };
                };
            };
        };
    };
    readonly getMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the member. */
                readonly member_id: string;
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
                        readonly data: components["schemas"]["Member"];
                    };
                };
            };
        };
    };
    readonly removeMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the member. */
                readonly member_id: string;
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
                        readonly data: components["schemas"]["Member"];
                    };
                };
            };
        };
    };
    readonly updateMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the member. */
                readonly member_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateMemberRequest"];
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
                        readonly data: components["schemas"]["Member"];
                    };
                };
            };
        };
    };
    readonly listMessages: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Only messages of this name. */
                readonly name?: "order.confirmation" | "order.receipt" | "order.cancelled" | "payment.failed" | "refund.issued" | "shipment.shipped" | "shipment.delivered" | "booking.confirmation" | "booking.moved" | "booking.cancelled" | "booking.reminder" | "subscription.renewal_failed" | "subscription.ending" | "support.reply" | "one_time_code" | "member.invitation" | "provider.invalid";
                /** @description Only records with this status. */
                readonly status?: "queued" | "sent" | "failed" | "skipped";
                /** @description Only what belongs to the order of this id. */
                readonly order_id?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListMessagesResult"];
                    };
                };
            };
        };
    };
    readonly getMessageSettings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["MessageSettings"];
                    };
                };
            };
        };
    };
    readonly updateMessageSettings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateMessageSettingsRequest"];
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
                        readonly data: components["schemas"]["MessageSettings"];
                    };
                };
            };
        };
    };
    readonly retryMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the message. */
                readonly message_id: string;
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
                        readonly data: components["schemas"]["OutgoingMessage"];
                    };
                };
            };
        };
    };
    readonly listMessageTemplates: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: readonly components["schemas"]["MessageTemplate"][];
                    };
                };
            };
        };
    };
    readonly getMessageTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The name of the message. */
                readonly template_name: string;
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
                        readonly data: components["schemas"]["MessageTemplate"];
                    };
                };
            };
        };
    };
    readonly updateMessageTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The name of the message. */
                readonly template_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateMessageTemplateRequest"];
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
                        readonly data: components["schemas"]["MessageTemplate"];
                    };
                };
            };
        };
    };
    readonly previewMessageTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The name of the message. */
                readonly template_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PreviewMessageTemplateRequest"];
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
                        readonly data: components["schemas"]["MessagePreview"];
                    };
                };
            };
        };
    };
    readonly sendTestMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The name of the message. */
                readonly template_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SendTestMessageRequest"];
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
                        readonly data: components["schemas"]["SendTestMessageResult"];
                    };
                };
            };
        };
    };
    readonly listPaymentProviders: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: readonly components["schemas"]["PaymentProvider"][];
                    };
                };
            };
        };
    };
    readonly connectPaymentProvider: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description `stripe` or `paystack`. */
                readonly provider: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProviderCredentials"];
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
                        readonly data: components["schemas"]["PaymentProvider"];
                    };
                };
            };
        };
    };
    readonly disconnectPaymentProvider: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description `stripe` or `paystack`. */
                readonly provider: string;
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
                        readonly data: components["schemas"]["PaymentProvider"];
                    };
                };
            };
        };
    };
    readonly purgePaymentProvider: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description `stripe` or `paystack`. */
                readonly provider: string;
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
                        readonly data: components["schemas"]["PaymentProvider"];
                    };
                };
            };
        };
    };
    readonly listKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListKeysResult"];
                    };
                };
            };
        };
    };
    readonly createKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["NewApiKey"];
                    };
                };
            };
        };
    };
    readonly getKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the key. */
                readonly key_id: string;
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
                        readonly data: components["schemas"]["ApiKey"];
                    };
                };
            };
        };
    };
    readonly revokeKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the key. */
                readonly key_id: string;
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
                        readonly data: components["schemas"]["ApiKey"];
                    };
                };
            };
        };
    };
    readonly rotateAgentKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RotateAgentKeyRequest"];
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
                        readonly data: readonly components["schemas"]["AgentKey"][];
                    };
                };
            };
        };
    };
    readonly listDomains: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListDomainsResult"];
                    };
                };
            };
        };
    };
    readonly addDomain: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddDomainRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Domain"];
                    };
                };
            };
        };
    };
    readonly verifyDomain: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the domain. */
                readonly domain_id: string;
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
                        readonly data: components["schemas"]["Domain"];
                    };
                };
            };
        };
    };
    readonly removeDomain: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the domain. */
                readonly domain_id: string;
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
                        readonly data: components["schemas"]["Domain"];
                    };
                };
            };
        };
    };
    readonly listLocations: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListLocationsResult"];
                    };
                };
            };
        };
    };
    readonly createLocation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateLocationRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["BusinessLocation"];
                    };
                };
            };
        };
    };
    readonly getLocation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the location. */
                readonly location_id: string;
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
                        readonly data: components["schemas"]["BusinessLocation"];
                    };
                };
            };
        };
    };
    readonly archiveLocation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the location. */
                readonly location_id: string;
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
                        readonly data: components["schemas"]["BusinessLocation"];
                    };
                };
            };
        };
    };
    readonly updateLocation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the location. */
                readonly location_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateLocationRequest"];
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
                        readonly data: components["schemas"]["BusinessLocation"];
                    };
                };
            };
        };
    };
    readonly listTaxClasses: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListTaxClassesResult"];
                    };
                };
            };
        };
    };
    readonly createTaxClass: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateTaxClassRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["TaxClass"];
                    };
                };
            };
        };
    };
    readonly getTaxClass: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The code of the tax class. */
                readonly tax_class_code: string;
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
                        readonly data: components["schemas"]["TaxClass"];
                    };
                };
            };
        };
    };
    readonly archiveTaxClass: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The code of the tax class. */
                readonly tax_class_code: string;
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
                        readonly data: components["schemas"]["TaxClass"];
                    };
                };
            };
        };
    };
    readonly updateTaxClass: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The code of the tax class. */
                readonly tax_class_code: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateTaxClassRequest"];
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
                        readonly data: components["schemas"]["TaxClass"];
                    };
                };
            };
        };
    };
    readonly listTaxRates: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListTaxRatesResult"];
                    };
                };
            };
        };
    };
    readonly createTaxRate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateTaxRateRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["TaxRate"];
                    };
                };
            };
        };
    };
    readonly getTaxRate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the tax rate. */
                readonly tax_rate_id: string;
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
                        readonly data: components["schemas"]["TaxRate"];
                    };
                };
            };
        };
    };
    readonly archiveTaxRate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the tax rate. */
                readonly tax_rate_id: string;
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
                        readonly data: components["schemas"]["TaxRate"];
                    };
                };
            };
        };
    };
    readonly updateTaxRate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the tax rate. */
                readonly tax_rate_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateTaxRateRequest"];
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
                        readonly data: components["schemas"]["TaxRate"];
                    };
                };
            };
        };
    };
    readonly listDeliveryZones: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListDeliveryZonesResult"];
                    };
                };
            };
        };
    };
    readonly createDeliveryZone: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateDeliveryZoneRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["DeliveryZone"];
                    };
                };
            };
        };
    };
    readonly getDeliveryZone: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the zone. */
                readonly zone_id: string;
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
                        readonly data: components["schemas"]["DeliveryZone"];
                    };
                };
            };
        };
    };
    readonly archiveDeliveryZone: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the zone. */
                readonly zone_id: string;
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
                        readonly data: components["schemas"]["DeliveryZone"];
                    };
                };
            };
        };
    };
    readonly updateDeliveryZone: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the zone. */
                readonly zone_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateDeliveryZoneRequest"];
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
                        readonly data: components["schemas"]["DeliveryZone"];
                    };
                };
            };
        };
    };
    readonly listDeliveryMethods: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListDeliveryMethodsResult"];
                    };
                };
            };
        };
    };
    readonly createDeliveryMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateDeliveryMethodRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["DeliveryMethod"];
                    };
                };
            };
        };
    };
    readonly getDeliveryMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the method. */
                readonly method_id: string;
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
                        readonly data: components["schemas"]["DeliveryMethod"];
                    };
                };
            };
        };
    };
    readonly archiveDeliveryMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the method. */
                readonly method_id: string;
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
                        readonly data: components["schemas"]["DeliveryMethod"];
                    };
                };
            };
        };
    };
    readonly updateDeliveryMethod: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the method. */
                readonly method_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateDeliveryMethodRequest"];
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
                        readonly data: components["schemas"]["DeliveryMethod"];
                    };
                };
            };
        };
    };
    readonly listAuditEntries: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Who made the change: the id of a key, or a kind of actor. */
                readonly actor?: string;
                /** @description The id of the record that was changed. */
                readonly entity?: string;
                /** @description The beginning, as an instant or a day. In an exchange rate, the currency to change from. */
                readonly from?: string;
                /** @description The end, as an instant or a day. In an exchange rate, the currency to change to. */
                readonly to?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListAuditEntriesResult"];
                    };
                };
            };
        };
    };
    readonly listProducts: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Words that the records contain. */
                readonly search?: string;
                /** @description Only the records of these ids, separated by commas. */
                readonly ids?: string;
                /** @description Only what belongs to the category of this id. */
                readonly category_id?: string;
                /** @description Only records with this status. */
                readonly status?: "active" | "inactive";
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListProductsResult"];
                    };
                };
            };
        };
    };
    readonly createProduct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateProductRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ProductRecord"];
                    };
                };
            };
        };
    };
    readonly changeProductStatuses: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChangeProductStatusesRequest"];
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
                        readonly data: components["schemas"]["ProductStatusChanges"];
                    };
                };
            };
        };
    };
    readonly getProduct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ProductRecord"];
                    };
                };
            };
        };
    };
    readonly archiveProduct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ProductRecord"];
                    };
                };
            };
        };
    };
    readonly updateProduct: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateProductRequest"];
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
                        readonly data: components["schemas"]["ProductRecord"];
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
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["Variant"];
                    };
                };
            };
        };
    };
    readonly removeProductVariant: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["Variant"];
                    };
                };
            };
        };
    };
    readonly updateProductVariant: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the product. */
                readonly product_id: string;
                /** @description The id of the variant. */
                readonly variant_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateProductVariantRequest"];
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
                        readonly data: components["schemas"]["Variant"];
                    };
                };
            };
        };
    };
    readonly getProductAddOnOption: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the product. */
                readonly product_id: string;
                /** @description The id of the add on group. */
                readonly add_on_group_id: string;
                /** @description The id of the add on option. */
                readonly add_on_option_id: string;
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
                        readonly data: components["schemas"]["GetProductAddOnOptionResult"];
                    };
                };
            };
        };
    };
    readonly removeProductAddOnOption: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the product. */
                readonly product_id: string;
                /** @description The id of the add on group. */
                readonly add_on_group_id: string;
                /** @description The id of the add on option. */
                readonly add_on_option_id: string;
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
                        readonly data: components["schemas"]["GetProductAddOnOptionResult"];
                    };
                };
            };
        };
    };
    readonly updateProductAddOnOption: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the product. */
                readonly product_id: string;
                /** @description The id of the add on group. */
                readonly add_on_group_id: string;
                /** @description The id of the add on option. */
                readonly add_on_option_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateProductAddOnOptionRequest"];
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
                        readonly data: components["schemas"]["GetProductAddOnOptionResult"];
                    };
                };
            };
        };
    };
    readonly addProductImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the product. */
                readonly product_id: string;
            };
            readonly cookie?: never;
        };
        /** @description A form with the image, a JPEG, PNG, GIF, WebP or AVIF of at most 20 MiB. */
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** Format: binary */
                    readonly file: string;
                    /** @default false */
                    readonly is_primary?: boolean;
                };
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ProductImage"];
                    };
                };
            };
        };
    };
    readonly getProductImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the product. */
                readonly product_id: string;
                /** @description The id of the image. */
                readonly image_id: string;
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
                        readonly data: components["schemas"]["ProductImage"];
                    };
                };
            };
        };
    };
    readonly removeProductImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the product. */
                readonly product_id: string;
                /** @description The id of the image. */
                readonly image_id: string;
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
                        readonly data: components["schemas"]["ProductImage"];
                    };
                };
            };
        };
    };
    readonly updateProductImage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the product. */
                readonly product_id: string;
                /** @description The id of the image. */
                readonly image_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateProductImageRequest"];
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
                        readonly data: components["schemas"]["ProductImage"];
                    };
                };
            };
        };
    };
    readonly listCategories: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListCategoriesResult"];
                    };
                };
            };
        };
    };
    readonly createCategory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateCategoryRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CategoryRecord"];
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
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["CategoryRecord"];
                    };
                };
            };
        };
    };
    readonly archiveCategory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["CategoryRecord"];
                    };
                };
            };
        };
    };
    readonly updateCategory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the category. */
                readonly category_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateCategoryRequest"];
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
                        readonly data: components["schemas"]["CategoryRecord"];
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
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListCollectionsResult"];
                    };
                };
            };
        };
    };
    readonly createCollection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateCollectionRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CollectionRecord"];
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
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["CollectionRecord"];
                    };
                };
            };
        };
    };
    readonly archiveCollection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["CollectionRecord"];
                    };
                };
            };
        };
    };
    readonly updateCollection: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the collection. */
                readonly collection_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateCollectionRequest"];
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
                        readonly data: components["schemas"]["CollectionRecord"];
                    };
                };
            };
        };
    };
    readonly listAttributes: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListAttributesResult"];
                    };
                };
            };
        };
    };
    readonly createAttribute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateAttributeRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["AttributeRecord"];
                    };
                };
            };
        };
    };
    readonly getAttribute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the attribute. */
                readonly attribute_id: string;
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
                        readonly data: components["schemas"]["AttributeRecord"];
                    };
                };
            };
        };
    };
    readonly archiveAttribute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the attribute. */
                readonly attribute_id: string;
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
                        readonly data: components["schemas"]["AttributeRecord"];
                    };
                };
            };
        };
    };
    readonly updateAttribute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the attribute. */
                readonly attribute_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateAttributeRequest"];
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
                        readonly data: components["schemas"]["AttributeRecord"];
                    };
                };
            };
        };
    };
    readonly listBillingPlans: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListBillingPlansResult"];
                    };
                };
            };
        };
    };
    readonly createBillingPlan: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateBillingPlanRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["BillingPlan"];
                    };
                };
            };
        };
    };
    readonly getBillingPlan: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the billing plan. */
                readonly billing_plan_id: string;
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
                        readonly data: components["schemas"]["BillingPlan"];
                    };
                };
            };
        };
    };
    readonly archiveBillingPlan: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the billing plan. */
                readonly billing_plan_id: string;
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
                        readonly data: components["schemas"]["BillingPlan"];
                    };
                };
            };
        };
    };
    readonly updateBillingPlan: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the billing plan. */
                readonly billing_plan_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateBillingPlanRequest"];
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
                        readonly data: components["schemas"]["BillingPlan"];
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
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListBundlesResult"];
                    };
                };
            };
        };
    };
    readonly createBundle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateBundleRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["BundleRecord"];
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
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["BundleRecord"];
                    };
                };
            };
        };
    };
    readonly archiveBundle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["BundleRecord"];
                    };
                };
            };
        };
    };
    readonly updateBundle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the bundle. */
                readonly bundle_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateBundleRequest"];
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
                        readonly data: components["schemas"]["BundleRecord"];
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
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListCompositesResult"];
                    };
                };
            };
        };
    };
    readonly createComposite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateCompositeRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CompositeRecord"];
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
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["CompositeRecord"];
                    };
                };
            };
        };
    };
    readonly archiveComposite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["CompositeRecord"];
                    };
                };
            };
        };
    };
    readonly updateComposite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the composite. */
                readonly composite_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateCompositeRequest"];
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
                        readonly data: components["schemas"]["CompositeRecord"];
                    };
                };
            };
        };
    };
    readonly listDeals: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Words that the records contain. */
                readonly search?: string;
                /** @description Only records with this status. */
                readonly status?: "inactive" | "ended" | "used_up" | "scheduled" | "active";
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListDealsResult"];
                    };
                };
            };
        };
    };
    readonly createDeal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateDealRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["MerchantDeal"];
                    };
                };
            };
        };
    };
    readonly getDeal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the deal. */
                readonly deal_id: string;
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
                        readonly data: components["schemas"]["MerchantDeal"];
                    };
                };
            };
        };
    };
    readonly archiveDeal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the deal. */
                readonly deal_id: string;
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
                        readonly data: components["schemas"]["MerchantDeal"];
                    };
                };
            };
        };
    };
    readonly updateDeal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the deal. */
                readonly deal_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateDealRequest"];
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
                        readonly data: components["schemas"]["MerchantDeal"];
                    };
                };
            };
        };
    };
    readonly setStockLevel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The product's id, or a variant's id where stock is counted by variant. */
                readonly product_or_variant_id: string;
                /** @description The id of the location. */
                readonly location_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SetStockLevelRequest"];
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
                        readonly data: components["schemas"]["StockLevel"];
                    };
                };
            };
        };
    };
    readonly adjustStockLevel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The product's id, or a variant's id where stock is counted by variant. */
                readonly product_or_variant_id: string;
                /** @description The id of the location. */
                readonly location_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AdjustStockLevelRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["StockLevel"];
                    };
                };
            };
        };
    };
    readonly listStockMovements: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The product's id, or a variant's id where stock is counted by variant. */
                readonly product_or_variant_id: string;
                /** @description The id of the location. */
                readonly location_id: string;
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
                        readonly data: components["schemas"]["ListStockMovementsResult"];
                    };
                };
            };
        };
    };
    readonly listStockLevels: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Words that the records contain. */
                readonly search?: string;
                /** @description Only levels at or below their low-stock threshold. */
                readonly low_stock?: boolean;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description Only what belongs to the product of this id. */
                readonly product_id?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListStockLevelsResult"];
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
                /** @description Only orders with this payment status. */
                readonly payment_status?: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded" | "succeeded";
                /** @description The customer's id, or a part of the name, the e-mail address or the phone number. */
                readonly customer?: string;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description Only what belongs to the product of this id. */
                readonly product_id?: string;
                /** @description The beginning, as an instant or a day. In an exchange rate, the currency to change from. */
                readonly from?: string;
                /** @description The end, as an instant or a day. In an exchange rate, the currency to change to. */
                readonly to?: string;
                /** @description Words that the records contain. */
                readonly search?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListOrdersResult"];
                    };
                };
            };
        };
    };
    readonly exportOrders: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this status. */
                readonly status?: "pending" | "confirmed" | "preparing" | "ready" | "completed" | "cancelled";
                /** @description Only orders with this payment status. */
                readonly payment_status?: "pending" | "requires_action" | "processing" | "captured" | "failed" | "cancelled" | "refunded" | "partially_refunded" | "succeeded";
                /** @description The customer's id, or a part of the name, the e-mail address or the phone number. */
                readonly customer?: string;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description Only what belongs to the product of this id. */
                readonly product_id?: string;
                /** @description The beginning, as an instant or a day. In an exchange rate, the currency to change from. */
                readonly from?: string;
                /** @description The end, as an instant or a day. In an exchange rate, the currency to change to. */
                readonly to?: string;
                /** @description Words that the records contain. */
                readonly search?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly changeOrderStatuses: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChangeOrderStatusesRequest"];
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
                        readonly data: components["schemas"]["OrderStatusChanges"];
                    };
                };
            };
        };
    };
    readonly getOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["MerchantOrder"];
                    };
                };
            };
        };
    };
    readonly updateOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateOrderRequest"];
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
                        readonly data: components["schemas"]["MerchantOrder"];
                    };
                };
            };
        };
    };
    readonly listOrderNotes: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListOrderNotesResult"];
                    };
                };
            };
        };
    };
    readonly addOrderNote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddOrderNoteRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Note"];
                    };
                };
            };
        };
    };
    readonly changeOrderStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChangeOrderStatusRequest"];
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
                        readonly data: components["schemas"]["MerchantOrder"];
                    };
                };
            };
        };
    };
    readonly cancelOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["MerchantOrder"];
                    };
                };
            };
        };
    };
    readonly refundOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RefundOrderRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Refund"];
                    };
                };
            };
        };
    };
    readonly markRefundPaid: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the order. */
                readonly order_id: string;
                /** @description The id of the refund. */
                readonly refund_id: string;
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
                        readonly data: components["schemas"]["Refund"];
                    };
                };
            };
        };
    };
    readonly createPaymentLink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["PaymentLink"];
                    };
                };
            };
        };
    };
    readonly markOrderPaid: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MarkOrderPaidRequest"];
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
                        readonly data: components["schemas"]["MerchantOrder"];
                    };
                };
            };
        };
    };
    readonly listShipments: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListShipmentsResult"];
                    };
                };
            };
        };
    };
    readonly createShipment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the order. */
                readonly order_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateShipmentRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["MerchantShipment"];
                    };
                };
            };
        };
    };
    readonly updateShipment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the order. */
                readonly order_id: string;
                /** @description The id of the shipment. */
                readonly shipment_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateShipmentRequest"];
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
                        readonly data: components["schemas"]["MerchantShipment"];
                    };
                };
            };
        };
    };
    readonly listSubscriptions: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListSubscriptionsResult"];
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
                /** @description The id of the business. */
                readonly business_id: string;
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
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["Subscription"];
                    };
                };
            };
        };
    };
    readonly listCustomers: {
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
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListCustomersResult"];
                    };
                };
            };
        };
    };
    readonly createCustomer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateCustomerRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["MerchantCustomer"];
                    };
                };
            };
        };
    };
    readonly exportCustomers: {
        readonly parameters: {
            readonly query?: {
                /** @description Words that the records contain. */
                readonly search?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly getCustomer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the customer. */
                readonly customer_id: string;
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
                        readonly data: components["schemas"]["MerchantCustomer"];
                    };
                };
            };
        };
    };
    readonly updateCustomer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the customer. */
                readonly customer_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateCustomerRequest"];
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
                        readonly data: components["schemas"]["MerchantCustomer"];
                    };
                };
            };
        };
    };
    readonly listCustomerNotes: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the customer. */
                readonly customer_id: string;
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
                        readonly data: components["schemas"]["ListCustomerNotesResult"];
                    };
                };
            };
        };
    };
    readonly addCustomerNote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the customer. */
                readonly customer_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddOrderNoteRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Note"];
                    };
                };
            };
        };
    };
    readonly exportCustomerData: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the customer. */
                readonly customer_id: string;
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
                        readonly data: components["schemas"]["PersonalData"];
                    };
                };
            };
        };
    };
    readonly eraseCustomerData: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the customer. */
                readonly customer_id: string;
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
                        readonly data: components["schemas"]["MerchantCustomer"];
                    };
                };
            };
        };
    };
    readonly listCustomerGroups: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListCustomerGroupsResult"];
                    };
                };
            };
        };
    };
    readonly createCustomerGroup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateCustomerGroupRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CustomerGroup"];
                    };
                };
            };
        };
    };
    readonly getCustomerGroup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the customer group. */
                readonly customer_group_id: string;
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
                        readonly data: components["schemas"]["CustomerGroup"];
                    };
                };
            };
        };
    };
    readonly archiveCustomerGroup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the customer group. */
                readonly customer_group_id: string;
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
                        readonly data: components["schemas"]["CustomerGroup"];
                    };
                };
            };
        };
    };
    readonly updateCustomerGroup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the customer group. */
                readonly customer_group_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateCustomerGroupRequest"];
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
                        readonly data: components["schemas"]["CustomerGroup"];
                    };
                };
            };
        };
    };
    readonly getSalesReport: {
        readonly parameters: {
            readonly query?: {
                /** @description The beginning, as an instant or a day. In an exchange rate, the currency to change from. */
                readonly from?: string;
                /** @description The end, as an instant or a day. In an exchange rate, the currency to change to. */
                readonly to?: string;
                /** @description The length of the periods that are reported. */
                readonly interval?: "day" | "week" | "month";
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["SalesReport"];
                    };
                };
            };
        };
    };
    readonly getTaxReport: {
        readonly parameters: {
            readonly query?: {
                /** @description The beginning, as an instant or a day. In an exchange rate, the currency to change from. */
                readonly from?: string;
                /** @description The end, as an instant or a day. In an exchange rate, the currency to change to. */
                readonly to?: string;
                /** @description The length of the periods that are reported. */
                readonly interval?: "day" | "week" | "month";
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["TaxReport"];
                    };
                };
            };
        };
    };
    readonly getCustomerReport: {
        readonly parameters: {
            readonly query?: {
                /** @description The beginning, as an instant or a day. In an exchange rate, the currency to change from. */
                readonly from?: string;
                /** @description The end, as an instant or a day. In an exchange rate, the currency to change to. */
                readonly to?: string;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["CustomerReport"];
                    };
                };
            };
        };
    };
    readonly getStockReport: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Words that the records contain. */
                readonly search?: string;
                /** @description Only levels at or below their low-stock threshold. */
                readonly low_stock?: boolean;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description Only what belongs to the product of this id. */
                readonly product_id?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["StockReport"];
                    };
                };
            };
        };
    };
    readonly getToday: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["Today"];
                    };
                };
            };
        };
    };
    readonly listConversations: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
                /** @description Only records with this status. */
                readonly status?: "open" | "closed";
                /** @description Only conversations with unread messages. */
                readonly unread?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListConversationsResult"];
                    };
                };
            };
        };
    };
    readonly getConversation: {
        readonly parameters: {
            readonly query?: {
                /** @description Only what came after this time. */
                readonly after?: string;
                /** @description The most records of one page. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the conversation. */
                readonly thread_id: string;
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
                        readonly data: components["schemas"]["ConversationPage"];
                    };
                };
            };
        };
    };
    readonly sendConversationMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the conversation. */
                readonly thread_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SendConversationMessageRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
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
    readonly markConversationRead: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the conversation. */
                readonly thread_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MarkConversationReadRequest"];
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
                        readonly data: components["schemas"]["MerchantConversation"];
                    };
                };
            };
        };
    };
    readonly closeConversation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the conversation. */
                readonly thread_id: string;
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
                        readonly data: components["schemas"]["MerchantConversation"];
                    };
                };
            };
        };
    };
    readonly createSocketTicket: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the conversation. */
                readonly thread_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["SocketTicket"];
                    };
                };
            };
        };
    };
    readonly connectConversation: {
        readonly parameters: {
            readonly query?: {
                /** @description For clients that cannot set headers. */
                readonly ticket?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the conversation. */
                readonly thread_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: never;
    };
    readonly listServices: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListServicesResult"];
                    };
                };
            };
        };
    };
    readonly createService: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateServiceRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["ServiceRecord"];
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
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ServiceRecord"];
                    };
                };
            };
        };
    };
    readonly archiveService: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ServiceRecord"];
                    };
                };
            };
        };
    };
    readonly updateService: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the service. */
                readonly service_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateServiceRequest"];
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
                        readonly data: components["schemas"]["ServiceRecord"];
                    };
                };
            };
        };
    };
    readonly listServiceSlots: {
        readonly parameters: {
            readonly query: {
                /** @description The day, in the time zone of the location. */
                readonly date: string;
                /** @description Only what belongs to the variant of this id. */
                readonly variant_id?: string;
                /** @description Only what belongs to the location of this id. */
                readonly location_id?: string;
                /** @description Only what belongs to the staff of this id. */
                readonly staff_id?: string;
                /** @description How many people the slot is for. */
                readonly participant_count?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["SlotDay"];
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
                /** @description The beginning, as an instant or a day. In an exchange rate, the currency to change from. */
                readonly from?: string;
                /** @description The end, as an instant or a day. In an exchange rate, the currency to change to. */
                readonly to?: string;
                /** @description The customer's id, or a part of the name, the e-mail address or the phone number. */
                readonly customer?: string;
                /** @description Only what belongs to the service of this id. */
                readonly service_id?: string;
                /** @description Only records with this status. */
                readonly status?: "pending" | "confirmed" | "completed" | "cancelled" | "no_show";
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListBookingsResult"];
                    };
                };
            };
        };
    };
    readonly createBooking: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewBooking"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["CreatedBooking"];
                    };
                };
            };
        };
    };
    readonly changeBookingStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the booking. */
                readonly booking_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChangeBookingStatusRequest"];
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
    readonly cancelBooking: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the booking. */
                readonly booking_id: string;
            };
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
    readonly listStaffMembers: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListStaffMembersResult"];
                    };
                };
            };
        };
    };
    readonly createStaffMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateStaffMemberRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["StaffMember"];
                    };
                };
            };
        };
    };
    readonly getStaffMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the staff. */
                readonly staff_id: string;
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
                        readonly data: components["schemas"]["StaffMember"];
                    };
                };
            };
        };
    };
    readonly archiveStaffMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the staff. */
                readonly staff_id: string;
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
                        readonly data: components["schemas"]["StaffMember"];
                    };
                };
            };
        };
    };
    readonly updateStaffMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the staff. */
                readonly staff_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateStaffMemberRequest"];
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
                        readonly data: components["schemas"]["StaffMember"];
                    };
                };
            };
        };
    };
    readonly listResources: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListResourcesResult"];
                    };
                };
            };
        };
    };
    readonly createResource: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateResourceRequest"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["Resource"];
                    };
                };
            };
        };
    };
    readonly getResource: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the resource. */
                readonly resource_id: string;
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
                        readonly data: components["schemas"]["Resource"];
                    };
                };
            };
        };
    };
    readonly archiveResource: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the resource. */
                readonly resource_id: string;
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
                        readonly data: components["schemas"]["Resource"];
                    };
                };
            };
        };
    };
    readonly updateResource: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the resource. */
                readonly resource_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateResourceRequest"];
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
                        readonly data: components["schemas"]["Resource"];
                    };
                };
            };
        };
    };
    readonly importProducts: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to check the file only, without changing anything. */
                readonly dry_run?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        /** @description A UTF-8 CSV of at most 20 MiB, as the body or as the only file of a form. */
        readonly requestBody: {
            readonly content: {
                readonly "text/csv": string;
                readonly "multipart/form-data": {
                    /** Format: binary */
                    readonly file?: string;
                };
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
                        readonly data: components["schemas"]["Import"];
                    };
                };
            };
        };
    };
    readonly exportProducts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly listExports: {
        readonly parameters: {
            readonly query?: {
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. Left out, the list begins. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                        readonly data: components["schemas"]["ListExportsResult"];
                    };
                };
            };
        };
    };
    readonly createExport: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["BusinessExport"];
                    };
                };
            };
        };
    };
    readonly getExport: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the export. */
                readonly export_id: string;
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
                        readonly data: components["schemas"]["BusinessExport"];
                    };
                };
            };
        };
    };
    readonly getExportFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the export. */
                readonly export_id: string;
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
                    readonly "application/x-ndjson": string;
                };
            };
        };
    };
    readonly importBusiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        /** @description The file of an export, of at most 100 MiB. */
        readonly requestBody: {
            readonly content: {
                readonly "application/x-ndjson": string;
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["BusinessImport"];
                    };
                };
            };
        };
    };
    readonly getBusinessImport: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the import. */
                readonly import_id: string;
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
                        readonly data: components["schemas"]["BusinessImport"];
                    };
                };
            };
        };
    };
    readonly startAssetUpload: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["StartAssetUploadRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StartAssetUploadResult"];
                };
            };
        };
    };
    readonly confirmAsset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ConfirmAssetRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    readonly listAssets: {
        readonly parameters: {
            readonly query?: {
                /** @description The number of the page, from 1. */
                readonly page?: number;
                /** @description The most records of one page. */
                readonly limit?: number;
                /** @description Only assets in this folder. */
                readonly folder?: string;
                /** @description Only assets whose content type begins with this. */
                readonly mime_prefix?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
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
                    readonly "application/json": components["schemas"]["ListAssetsResult"];
                };
            };
        };
    };
    readonly getAsset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the upload. */
                readonly upload_id: string;
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
                    readonly "application/json": components["schemas"]["Asset"];
                };
            };
        };
    };
    readonly deleteAsset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the business. */
                readonly business_id: string;
                /** @description The id of the upload. */
                readonly upload_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
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
