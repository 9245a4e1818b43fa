CREATE TABLE `billing_plans` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`interval` text NOT NULL,
	`interval_count` integer NOT NULL,
	`price_minor` integer NOT NULL,
	`trial_days` integer NOT NULL,
	`min_quantity` integer NOT NULL,
	`min_order_value_minor` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "billing_plans_interval" CHECK("billing_plans"."interval" in ('day', 'week', 'month', 'year')),
	CONSTRAINT "billing_plans_amounts" CHECK(price_minor >= 0 and min_order_value_minor >= 0),
	CONSTRAINT "billing_plans_counts" CHECK(interval_count > 0 and trial_days >= 0 and min_quantity > 0)
);
--> statement-breakpoint
CREATE INDEX `billing_plans_by_business` ON `billing_plans` (`business_id`,`id`);