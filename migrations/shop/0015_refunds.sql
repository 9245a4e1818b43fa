CREATE TABLE `order_terms` (
	`business_id` text NOT NULL,
	`term` text NOT NULL,
	`order_id` text NOT NULL,
	PRIMARY KEY(`business_id`, `term`, `order_id`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `order_terms_by_order` ON `order_terms` (`order_id`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`order_id` text NOT NULL,
	`payment_id` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`claimed_minor` integer NOT NULL,
	`paid_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`is_restocked` integer NOT NULL,
	`failure_reason` text,
	`request_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`settled_at` integer,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "refunds_status" CHECK("refunds"."status" in ('pending', 'refunded', 'failed')),
	CONSTRAINT "refunds_amount" CHECK(amount_minor > 0),
	CONSTRAINT "refunds_within_payment" CHECK(claimed_minor <= paid_minor),
	CONSTRAINT "refunds_due_while_pending" CHECK((due_at is not null) = (status = 'pending'))
);
--> statement-breakpoint
CREATE INDEX `refunds_by_order` ON `refunds` (`order_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_request` ON `refunds` (`order_id`,`request_key`) WHERE request_key is not null;--> statement-breakpoint
CREATE INDEX `refunds_by_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
ALTER TABLE `order_history` ADD `request_key` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `receipt` text;--> statement-breakpoint
CREATE INDEX `orders_by_status` ON `orders` (`business_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_payment_status` ON `orders` (`business_id`,`payment_status`,`created_at`,`id`);