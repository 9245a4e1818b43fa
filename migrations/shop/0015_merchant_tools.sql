-- Indexes of the merchant's lists; tags of customers and orders; notes, with the triggers that reject writes
-- while the business moves to another shard.

CREATE TABLE `notes` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`subject_id` text NOT NULL,
	`text` text NOT NULL,
	`author` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `notes_of_subject` ON `notes` (`business_id`,`subject_id`,`id`);--> statement-breakpoint
DROP INDEX `products_by_category`;--> statement-breakpoint
CREATE INDEX `products_by_category` ON `products` (`category_id`,`business_id`,`is_active`,`created_at`,`id`) WHERE category_id is not null;--> statement-breakpoint
ALTER TABLE `customers` ADD `is_unclaimed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `customers_unclaimed_email` ON `customers` (`business_id`,`email`) WHERE is_unclaimed = 1 and email is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `customers_unclaimed_phone` ON `customers` (`business_id`,`phone`) WHERE is_unclaimed = 1 and phone is not null;--> statement-breakpoint
ALTER TABLE `orders` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_location` ON `orders` (`business_id`,`location_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `product_variants_by_sku` ON `product_variants` (`business_id`,sku collate nocase) WHERE sku is not null and archived_at is null;--> statement-breakpoint
CREATE INDEX `order_lines_by_product` ON `order_lines` (`business_id`,`product_id`,`order_id`);
--> statement-breakpoint
CREATE TRIGGER `fence_notes_insert` BEFORE INSERT ON `notes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_notes_update` BEFORE UPDATE ON `notes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_notes_delete` BEFORE DELETE ON `notes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
