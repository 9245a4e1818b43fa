CREATE TABLE `price_quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`product_id` text NOT NULL,
	`variant_id` text,
	`location_id` text,
	`quantity` integer NOT NULL,
	`selections` text NOT NULL,
	`unit_price_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`parts` text NOT NULL,
	`expires_at` integer NOT NULL,
	CONSTRAINT "price_quotes_quantity" CHECK(quantity > 0),
	CONSTRAINT "price_quotes_unit_price" CHECK(unit_price_minor >= 0)
);
--> statement-breakpoint
CREATE INDEX `price_quotes_by_expiry` ON `price_quotes` (`expires_at`);