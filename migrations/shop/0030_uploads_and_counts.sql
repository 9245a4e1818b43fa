CREATE TABLE `bought_together` (
	`business_id` text NOT NULL,
	`product_id` text NOT NULL,
	`other_id` text NOT NULL,
	`orders` integer NOT NULL,
	PRIMARY KEY(`business_id`, `product_id`, `other_id`)
);
--> statement-breakpoint
CREATE INDEX `bought_together_most` ON `bought_together` (`business_id`,`product_id`,`orders`,`other_id`);--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`visibility` text NOT NULL,
	`session_id` text,
	`customer_id` text,
	`caller` text,
	`idempotency_key` text,
	`filename` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`folder_path` text,
	`path` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`received_attempt` integer,
	`etag` text,
	`confirmed_at` integer,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`purge_at` integer,
	CONSTRAINT "uploads_visibility" CHECK("uploads"."visibility" in ('private', 'public')),
	CONSTRAINT "uploads_size" CHECK(size_bytes >= 0),
	CONSTRAINT "uploads_received" CHECK(received_attempt between 1 and attempts),
	CONSTRAINT "uploads_confirmed_once" CHECK(confirmed_at > 0),
	CONSTRAINT "uploads_confirmed_bytes" CHECK(confirmed_at is null or received_attempt is not null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_by_key` ON `uploads` (`business_id`,`caller`,`idempotency_key`) WHERE idempotency_key is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `assets_at_path` ON `uploads` (`business_id`,`path`) WHERE visibility = 'public' and confirmed_at is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `assets_newest` ON `uploads` (`business_id`,`created_at`,`id`,`content_type`) WHERE visibility = 'public' and confirmed_at is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `assets_in_folder` ON `uploads` (`business_id`,`folder_path`,`created_at`,`id`,`content_type`) WHERE visibility = 'public' and confirmed_at is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `uploads_due` ON `uploads` (`purge_at`) WHERE purge_at is not null;--> statement-breakpoint
CREATE INDEX `uploads_by_customer` ON `uploads` (`business_id`,`customer_id`) WHERE customer_id is not null;--> statement-breakpoint
ALTER TABLE `orders` ADD `counted_at` integer;--> statement-breakpoint
CREATE INDEX `orders_uncounted` ON `orders` (`created_at`) WHERE counted_at is null and status not in ('pending', 'cancelled');