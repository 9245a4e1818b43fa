CREATE TABLE `collection_products` (
	`collection_id` text NOT NULL,
	`product_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `product_id`),
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `collection_products_in_order` ON `collection_products` (`collection_id`,`position`);--> statement-breakpoint
CREATE INDEX `collection_products_by_product` ON `collection_products` (`product_id`);--> statement-breakpoint
CREATE TABLE `collections` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text NOT NULL,
	`image_url` text,
	`sort_order` integer NOT NULL,
	`metadata` text NOT NULL,
	`rule` text,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `collections_slug` ON `collections` (`business_id`,`slug`) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX `collections_in_order` ON `collections` (`business_id`,`sort_order`,`id`);