ALTER TABLE `product_variants` ADD `compare_at_price_minor` integer;--> statement-breakpoint
ALTER TABLE `products` ADD `compare_at_price_minor` integer;