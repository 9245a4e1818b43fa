DROP INDEX `products_by_category`;--> statement-breakpoint
CREATE INDEX `products_by_category` ON `products` (`category_id`,`business_id`,`is_active`,`created_at`,`id`) WHERE category_id is not null;--> statement-breakpoint
CREATE INDEX `product_variants_by_sku` ON `product_variants` (`business_id`,sku collate nocase) WHERE sku is not null and archived_at is null;--> statement-breakpoint
CREATE INDEX `order_lines_by_product` ON `order_lines` (`business_id`,`product_id`,`order_id`);--> statement-breakpoint
CREATE INDEX `orders_by_location` ON `orders` (`business_id`,`location_id`,`created_at`,`id`);