CREATE TABLE `fx_quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`from_currency` text NOT NULL,
	`to_currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`rate` text NOT NULL,
	`converted_minor` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_by_order_id` text,
	`caller` text,
	`idempotency_key` text,
	CONSTRAINT "fx_quotes_amounts" CHECK(amount_minor >= 0 and converted_minor >= 0),
	CONSTRAINT "fx_quotes_used_once" CHECK(used_by_order_id <> '')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `fx_quotes_by_key` ON `fx_quotes` (`business_id`,`caller`,`idempotency_key`) WHERE idempotency_key is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `fx_quotes_by_order` ON `fx_quotes` (`used_by_order_id`) WHERE used_by_order_id is not null;--> statement-breakpoint
CREATE INDEX `fx_quotes_unused` ON `fx_quotes` (`expires_at`) WHERE used_by_order_id is null;