CREATE TABLE `subscription_invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`cycle` integer NOT NULL,
	`order_id` text NOT NULL,
	`status` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscription_invoices_status" CHECK("subscription_invoices"."status" in ('open', 'paid', 'void')),
	CONSTRAINT "subscription_invoices_amount" CHECK(amount_minor >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_invoices_one_per_cycle` ON `subscription_invoices` (`subscription_id`,`cycle`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_invoices_by_order` ON `subscription_invoices` (`order_id`,`subscription_id`);--> statement-breakpoint
CREATE INDEX `subscription_invoices_open` ON `subscription_invoices` (`subscription_id`) WHERE status = 'open';--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`status` text NOT NULL,
	`plan` text NOT NULL,
	`items` text NOT NULL,
	`currency` text NOT NULL,
	`order_id` text NOT NULL,
	`order_line_id` text NOT NULL,
	`last_order_id` text NOT NULL,
	`last_reference` text NOT NULL,
	`timezone` text NOT NULL,
	`started_at` integer NOT NULL,
	`anchor_at` integer NOT NULL,
	`cycle` integer NOT NULL,
	`next_cycle` integer NOT NULL,
	`ends_at` integer,
	`attempts` integer NOT NULL,
	`failed_at` integer,
	`failure_reason` text,
	`cancelled_at` integer,
	`cancellation_reason` text,
	`skip_key` text,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "subscriptions_status" CHECK("subscriptions"."status" in ('active', 'paused', 'past_due', 'cancelled', 'expired')),
	CONSTRAINT "subscriptions_cycles" CHECK(cycle >= 1 and next_cycle > cycle)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_by_line` ON `subscriptions` (`order_line_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_newest` ON `subscriptions` (`business_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_by_customer` ON `subscriptions` (`business_id`,`customer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_due` ON `subscriptions` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
ALTER TABLE `order_lines` ADD `subscription` text;