CREATE TABLE `deal_redemptions` (
	`order_id` text NOT NULL,
	`deal_id` text NOT NULL,
	`business_id` text NOT NULL,
	`customer_key` text NOT NULL,
	`nth` integer NOT NULL,
	`per_customer_limit` integer,
	`amount_minor` integer NOT NULL,
	`redeemed_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `deal_id`),
	FOREIGN KEY (`deal_id`) REFERENCES `deals`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "deal_redemptions_per_customer" CHECK(per_customer_limit is null or nth <= per_customer_limit),
	CONSTRAINT "deal_redemptions_amount" CHECK(amount_minor > 0)
);
--> statement-breakpoint
CREATE INDEX `deal_redemptions_by_customer` ON `deal_redemptions` (`deal_id`,`customer_key`);--> statement-breakpoint
CREATE TABLE `deals` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`code` text,
	`code_key` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`discount_type` text NOT NULL,
	`percent` text,
	`amount_minor` integer,
	`min_order_subtotal_minor` integer,
	`max_discount_minor` integer,
	`scope` text NOT NULL,
	`scope_ids` text NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`usage_limit` integer,
	`times_redeemed` integer DEFAULT 0 NOT NULL,
	`per_customer_limit` integer,
	`is_active` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "deals_discount_type" CHECK("deals"."discount_type" in ('percentage', 'fixed_amount')),
	CONSTRAINT "deals_scope" CHECK("deals"."scope" in ('order', 'product', 'category', 'collection')),
	CONSTRAINT "deals_discount" CHECK((discount_type = 'percentage') = (percent is not null) and (percent is null) = (amount_minor is not null)),
	CONSTRAINT "deals_amounts" CHECK(coalesce(amount_minor, 0) >= 0 and coalesce(min_order_subtotal_minor, 0) >= 0 and coalesce(max_discount_minor, 0) >= 0),
	CONSTRAINT "deals_window" CHECK(starts_at is null or ends_at is null or starts_at < ends_at),
	CONSTRAINT "deals_usage" CHECK(times_redeemed >= 0 and (usage_limit is null or times_redeemed <= usage_limit))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deals_code` ON `deals` (`business_id`,`code_key`) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX `deals_newest` ON `deals` (`business_id`,`id`);