CREATE TABLE `delivery_areas` (
	`business_id` text NOT NULL,
	`country` text NOT NULL,
	`region` text NOT NULL,
	`postal_prefix` text NOT NULL,
	`zone_id` text NOT NULL,
	PRIMARY KEY(`business_id`, `country`, `postal_prefix`, `region`),
	FOREIGN KEY (`zone_id`) REFERENCES `delivery_zones`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `delivery_areas_of_zone` ON `delivery_areas` (`zone_id`);--> statement-breakpoint
CREATE TABLE `delivery_methods` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`zone_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`price` text NOT NULL,
	`free_over_minor` integer,
	`min_days` integer,
	`max_days` integer,
	`payment_methods` text,
	`sort_order` integer NOT NULL,
	`is_active` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`zone_id`) REFERENCES `delivery_zones`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `delivery_methods_in_order` ON `delivery_methods` (`business_id`,`id`);--> statement-breakpoint
CREATE INDEX `delivery_methods_of_zone` ON `delivery_methods` (`zone_id`);--> statement-breakpoint
CREATE INDEX `delivery_methods_active` ON `delivery_methods` (`business_id`,`zone_id`) WHERE is_active = 1 and archived_at is null;--> statement-breakpoint
CREATE TABLE `delivery_zones` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`areas` text NOT NULL,
	`location_ids` text,
	`is_active` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `delivery_zones_in_order` ON `delivery_zones` (`business_id`,`id`);--> statement-breakpoint
ALTER TABLE `product_variants` ADD `weight_grams` integer;--> statement-breakpoint
ALTER TABLE `products` ADD `weight_grams` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `requires_shipping` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE TRIGGER `fence_delivery_zones_insert` BEFORE INSERT ON `delivery_zones`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_delivery_zones_update` BEFORE UPDATE ON `delivery_zones`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_delivery_zones_delete` BEFORE DELETE ON `delivery_zones`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_delivery_areas_insert` BEFORE INSERT ON `delivery_areas`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_delivery_areas_update` BEFORE UPDATE ON `delivery_areas`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_delivery_areas_delete` BEFORE DELETE ON `delivery_areas`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_delivery_methods_insert` BEFORE INSERT ON `delivery_methods`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_delivery_methods_update` BEFORE UPDATE ON `delivery_methods`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_delivery_methods_delete` BEFORE DELETE ON `delivery_methods`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
