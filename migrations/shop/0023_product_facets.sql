CREATE TABLE `product_facet_counts` (
	`business_id` text NOT NULL,
	`facet` text NOT NULL,
	`products` integer NOT NULL,
	PRIMARY KEY(`business_id`, `facet`)
);
--> statement-breakpoint
CREATE TABLE `product_facets` (
	`product_id` text NOT NULL,
	`facet` text NOT NULL,
	`business_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`price_minor` integer NOT NULL,
	PRIMARY KEY(`product_id`, `facet`)
);
--> statement-breakpoint
CREATE INDEX `product_facets_newest` ON `product_facets` (`business_id`,`facet`,`created_at`,`product_id`);--> statement-breakpoint
CREATE INDEX `product_facets_by_price` ON `product_facets` (`business_id`,`facet`,`price_minor`,`product_id`);--> statement-breakpoint
DROP INDEX `products_by_name`;--> statement-breakpoint
DROP INDEX `products_by_price`;--> statement-breakpoint
DROP INDEX `products_by_popularity`;--> statement-breakpoint
DROP INDEX `products_by_category`;--> statement-breakpoint
CREATE INDEX `products_by_name` ON `products` (`business_id`,`name`,`id`) WHERE is_active = 1 and archived_at is null;--> statement-breakpoint
CREATE INDEX `products_by_price` ON `products` (`business_id`,`default_price_minor`,`id`) WHERE is_active = 1 and archived_at is null;--> statement-breakpoint
CREATE INDEX `products_by_popularity` ON `products` (`business_id`,`popularity`,`id`) WHERE is_active = 1 and archived_at is null;--> statement-breakpoint
CREATE INDEX `products_by_category` ON `products` (`business_id`,`category_id`);