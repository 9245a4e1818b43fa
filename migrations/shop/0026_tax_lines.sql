ALTER TABLE `order_lines` ADD `tax_minor` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `delivery_total_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `tax_lines` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `tax_minor` integer;