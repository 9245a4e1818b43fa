CREATE TABLE `bundles` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`product_id` text NOT NULL,
	`components` text NOT NULL,
	`pricing` text NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bundles_product_id_unique` ON `bundles` (`product_id`);--> statement-breakpoint
CREATE INDEX `bundles_by_business` ON `bundles` (`business_id`,`id`);--> statement-breakpoint
CREATE TABLE `catalogue_versions` (
	`business_id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `categories` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text NOT NULL,
	`parent_id` text,
	`image_url` text,
	`sort_order` integer NOT NULL,
	`metadata` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_slug` ON `categories` (`business_id`,`slug`) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX `categories_by_parent` ON `categories` (`business_id`,`parent_id`);--> statement-breakpoint
CREATE TABLE `composites` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`product_id` text NOT NULL,
	`base_price_minor` integer NOT NULL,
	`groups` text NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "composites_base_price" CHECK(base_price_minor >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `composites_product_id_unique` ON `composites` (`product_id`);--> statement-breakpoint
CREATE INDEX `composites_by_business` ON `composites` (`business_id`,`id`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`is_dry_run` integer NOT NULL,
	`result` text,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `imports_by_business` ON `imports` (`business_id`,`started_at`);--> statement-breakpoint
CREATE TABLE `product_tags` (
	`business_id` text NOT NULL,
	`tag` text NOT NULL,
	`product_id` text NOT NULL,
	PRIMARY KEY(`business_id`, `tag`, `product_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `product_tags_by_product` ON `product_tags` (`product_id`);--> statement-breakpoint
CREATE TABLE `product_variants` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`product_id` text NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`price_adjustment_minor` integer NOT NULL,
	`is_default` integer NOT NULL,
	`is_active` integer NOT NULL,
	`sku` text,
	`axis_values` text NOT NULL,
	`duration_minutes` integer,
	`buffer_minutes` integer,
	`capacity` integer,
	`imported_columns` text,
	`archived_at` integer,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `product_variants_by_product` ON `product_variants` (`product_id`,`position`);--> statement-breakpoint
CREATE INDEX `product_variants_by_sku` ON `product_variants` (`business_id`,`sku`);--> statement-breakpoint
CREATE UNIQUE INDEX `product_variants_one_default` ON `product_variants` (`product_id`) WHERE is_default = 1 and archived_at is null;--> statement-breakpoint
CREATE TABLE `products` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text NOT NULL,
	`category_id` text,
	`taxonomy_id` text,
	`default_price_minor` integer NOT NULL,
	`product_type` text NOT NULL,
	`inventory_type` text NOT NULL,
	`is_active` integer NOT NULL,
	`is_featured` integer NOT NULL,
	`tags` text NOT NULL,
	`properties` text NOT NULL,
	`images` text NOT NULL,
	`variant_axes` text NOT NULL,
	`add_ons` text NOT NULL,
	`popularity` integer DEFAULT 0 NOT NULL,
	`imported_columns` text,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "products_type" CHECK("products"."product_type" in ('product', 'service', 'bundle', 'composite', 'digital')),
	CONSTRAINT "products_inventory_type" CHECK("products"."inventory_type" in ('none', 'tracked', 'variant_level')),
	CONSTRAINT "products_price" CHECK(default_price_minor >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_slug` ON `products` (`business_id`,`slug`) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX `products_newest` ON `products` (`business_id`,`is_active`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `products_by_name` ON `products` (`business_id`,`is_active`,`name`,`id`);--> statement-breakpoint
CREATE INDEX `products_by_price` ON `products` (`business_id`,`is_active`,`default_price_minor`,`id`);--> statement-breakpoint
CREATE INDEX `products_by_popularity` ON `products` (`business_id`,`is_active`,`popularity`,`id`);--> statement-breakpoint
CREATE INDEX `products_by_category` ON `products` (`business_id`,`category_id`,`is_active`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `stock_levels` (
	`business_id` text NOT NULL,
	`item_id` text NOT NULL,
	`location_id` text NOT NULL,
	`product_id` text NOT NULL,
	`quantity_on_hand` integer NOT NULL,
	`quantity_reserved` integer DEFAULT 0 NOT NULL,
	`low_stock_threshold` integer,
	`is_low` integer DEFAULT false NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`business_id`, `item_id`, `location_id`),
	CONSTRAINT "stock_on_hand_not_negative" CHECK(quantity_on_hand >= 0),
	CONSTRAINT "stock_not_oversold" CHECK(quantity_reserved between 0 and quantity_on_hand)
);
--> statement-breakpoint
CREATE INDEX `stock_levels_by_product` ON `stock_levels` (`business_id`,`product_id`);--> statement-breakpoint
CREATE INDEX `stock_levels_by_location` ON `stock_levels` (`business_id`,`location_id`);--> statement-breakpoint
CREATE TABLE `stock_movements` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`item_id` text NOT NULL,
	`location_id` text NOT NULL,
	`on_hand_delta` integer NOT NULL,
	`reserved_delta` integer NOT NULL,
	`reason` text NOT NULL,
	`order_id` text,
	`actor` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stock_movements_by_item` ON `stock_movements` (`business_id`,`item_id`,`at`);--> statement-breakpoint
CREATE INDEX `stock_movements_by_order` ON `stock_movements` (`order_id`);--> statement-breakpoint
CREATE TABLE `stock_reservations` (
	`order_id` text NOT NULL,
	`business_id` text NOT NULL,
	`item_id` text NOT NULL,
	`location_id` text NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`order_id`, `item_id`, `location_id`),
	FOREIGN KEY (`business_id`,`item_id`,`location_id`) REFERENCES `stock_levels`(`business_id`,`item_id`,`location_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "stock_reservations_quantity" CHECK(quantity > 0)
);
--> statement-breakpoint
CREATE TABLE `order_history` (
	`order_id` text NOT NULL,
	`version` integer NOT NULL,
	`status` text NOT NULL,
	`payment_status` text NOT NULL,
	`actor` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `version`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `order_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`business_id` text NOT NULL,
	`position` integer NOT NULL,
	`product_id` text NOT NULL,
	`product_name` text NOT NULL,
	`variant_id` text,
	`variant_name` text,
	`quantity` integer NOT NULL,
	`unit_price_minor` integer NOT NULL,
	`add_on_option_ids` text NOT NULL,
	`special_instructions` text,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_lines_quantity" CHECK(quantity between 1 and 100),
	CONSTRAINT "order_lines_price" CHECK(unit_price_minor >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_lines_in_order` ON `order_lines` (`order_id`,`position`);--> statement-breakpoint
CREATE TABLE `order_sequences` (
	`business_id` text PRIMARY KEY NOT NULL,
	`last_number` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`order_number` text NOT NULL,
	`status` text NOT NULL,
	`order_type` text NOT NULL,
	`subtotal_minor` integer NOT NULL,
	`discount_total_minor` integer NOT NULL,
	`tax_total_minor` integer NOT NULL,
	`total_price_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`customer_id` text,
	`customer_name` text,
	`customer_email` text,
	`customer_phone` text,
	`customer_notes` text,
	`payment_status` text NOT NULL,
	`payment_method` text NOT NULL,
	`location_id` text NOT NULL,
	`address_info` text,
	`special_instructions` text,
	`metadata` text NOT NULL,
	`bill_token_hash` text NOT NULL,
	`session_id` text NOT NULL,
	`cancelled_at` integer,
	`cancellation_reason` text,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "orders_status" CHECK("orders"."status" in ('pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled')),
	CONSTRAINT "orders_type" CHECK("orders"."order_type" in ('delivery', 'pickup', 'dine-in', 'walk-in')),
	CONSTRAINT "orders_payment_status" CHECK("orders"."payment_status" in ('pending', 'requires_action', 'processing', 'captured', 'failed', 'cancelled', 'refunded', 'partially_refunded')),
	CONSTRAINT "orders_amounts" CHECK(subtotal_minor >= 0 and discount_total_minor >= 0 and tax_total_minor >= 0 and total_price_minor >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`business_id`,`order_number`);--> statement-breakpoint
CREATE INDEX `orders_newest` ON `orders` (`business_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`business_id`,`customer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_expiring` ON `orders` (`expires_at`) WHERE expires_at is not null;--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`order_id` text NOT NULL,
	`session_id` text NOT NULL,
	`reference` text NOT NULL,
	`provider` text NOT NULL,
	`method` text NOT NULL,
	`status` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`next_action` text NOT NULL,
	`failed_attempts` integer DEFAULT 0 NOT NULL,
	`settled_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "payments_status" CHECK("payments"."status" in ('pending', 'requires_action', 'processing', 'captured', 'failed', 'cancelled', 'refunded', 'partially_refunded')),
	CONSTRAINT "payments_amount" CHECK(amount_minor >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_reference` ON `payments` (`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_one_per_order` ON `payments` (`order_id`);--> statement-breakpoint
CREATE TABLE `sandbox_charges` (
	`reference` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`phone_number` text,
	`status` text NOT NULL,
	`refunded_minor` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sandbox_charges_by_order` ON `sandbox_charges` (`order_id`);--> statement-breakpoint
CREATE TABLE `services` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`product_id` text NOT NULL,
	`duration_minutes` integer NOT NULL,
	`buffer_minutes` integer NOT NULL,
	`capacity` integer NOT NULL,
	`slot_interval_minutes` integer NOT NULL,
	`min_notice_minutes` integer NOT NULL,
	`booking_window_days` integer NOT NULL,
	`cancellation_notice_minutes` integer NOT NULL,
	`location_ids` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "services_duration" CHECK(duration_minutes > 0 and buffer_minutes >= 0 and capacity > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `services_product_id_unique` ON `services` (`product_id`);--> statement-breakpoint
CREATE INDEX `services_by_business` ON `services` (`business_id`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`event_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` text NOT NULL,
	`first_attempt_at` integer,
	`next_attempt_at` integer,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscription_id`) REFERENCES `webhook_subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_deliveries_status" CHECK("webhook_deliveries"."status" in ('pending', 'delivered', 'failed', 'exhausted'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`event_id`,`subscription_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_subscription` ON `webhook_deliveries` (`subscription_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`description` text,
	`status` text NOT NULL,
	`secret_generation` integer NOT NULL,
	`previous_secret_until` integer,
	`consecutive_failures` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	CONSTRAINT "webhook_subscriptions_status" CHECK("webhook_subscriptions"."status" in ('active', 'disabled'))
);
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_by_business` ON `webhook_subscriptions` (`business_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`entity` text NOT NULL,
	`before` text,
	`after` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit_entries` (`business_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_entity` ON `audit_entries` (`business_id`,`entity`,`at`);--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit_entries` (`business_id`,`actor`,`at`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`type` text NOT NULL,
	`subject_id` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`dispatched_at` integer,
	CONSTRAINT "events_type" CHECK("events"."type" in ('order.created', 'order.updated', 'order.completed', 'order.cancelled', 'payment.completed', 'payment.failed', 'payment.refunded', 'booking.created', 'booking.rescheduled', 'booking.cancelled', 'subscription.renewed', 'subscription.cancelled', 'inventory.low_stock'))
);
--> statement-breakpoint
CREATE INDEX `events_waiting` ON `events` (`business_id`,`created_at`) WHERE dispatched_at is null;--> statement-breakpoint
CREATE INDEX `events_by_subject` ON `events` (`business_id`,`subject_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`business_id` text NOT NULL,
	`caller` text NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer,
	`body` text,
	`lease_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`business_id`, `caller`, `route`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_by_age` ON `idempotency_keys` (`created_at`);