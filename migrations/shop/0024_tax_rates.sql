CREATE TABLE `tax_classes` (
	`business_id` text NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`business_id`, `code`),
	CONSTRAINT "tax_classes_standard" CHECK(code <> 'standard' or archived_at is null)
);
--> statement-breakpoint
CREATE TABLE `tax_rates` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`tax_class` text NOT NULL,
	`name` text NOT NULL,
	`country` text NOT NULL,
	`region` text,
	`postal_code_prefix` text,
	`name_key` text NOT NULL,
	`region_key` text NOT NULL,
	`postal_key` text NOT NULL,
	`rate_percent` text NOT NULL,
	`applies_to_delivery` integer NOT NULL,
	`is_active` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "tax_rates_percent" CHECK(cast(rate_percent as real) between 0 and 100)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tax_rates_of_place` ON `tax_rates` (`business_id`,`country`,`region_key`,`postal_key`,`tax_class`,`name_key`) WHERE is_active = 1 and archived_at is null;--> statement-breakpoint
CREATE INDEX `tax_rates_by_business` ON `tax_rates` (`business_id`,`id`);--> statement-breakpoint
CREATE INDEX `tax_rates_by_class` ON `tax_rates` (`business_id`,`tax_class`) WHERE archived_at is null;--> statement-breakpoint
ALTER TABLE `products` ADD `tax_class` text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
CREATE INDEX `products_by_tax_class` ON `products` (`business_id`,`tax_class`) WHERE tax_class <> 'standard' and archived_at is null;--> statement-breakpoint
ALTER TABLE `customers` ADD `is_tax_exempt` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- A tax class exists as long as products or rates have it, and a product or rate only gets a class that exists.
-- The class `standard` exists without a row. A migration that rebuilds `products`, `tax_classes` or `tax_rates`
-- drops these triggers and has to create them again.
CREATE TRIGGER `tax_classes_in_use` BEFORE UPDATE OF `archived_at` ON `tax_classes`
WHEN new.archived_at IS NOT NULL AND (EXISTS (SELECT 1 FROM `products` WHERE `business_id` = new.business_id AND `tax_class` = new.code
		AND `tax_class` <> 'standard' AND `archived_at` IS NULL)
	OR EXISTS (SELECT 1 FROM `tax_rates`
		WHERE `business_id` = new.business_id AND `tax_class` = new.code AND `archived_at` IS NULL)) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: tax_classes_in_use');
END;
--> statement-breakpoint
CREATE TRIGGER `products_tax_class_insert` BEFORE INSERT ON `products`
WHEN new.tax_class <> 'standard' AND new.archived_at IS NULL AND NOT EXISTS (SELECT 1 FROM `tax_classes`
	WHERE `business_id` = new.business_id AND `code` = new.tax_class AND `archived_at` IS NULL) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: products_tax_class');
END;
--> statement-breakpoint
CREATE TRIGGER `products_tax_class_update` BEFORE UPDATE OF `tax_class` ON `products`
WHEN new.tax_class <> 'standard' AND new.tax_class <> old.tax_class AND NOT EXISTS (SELECT 1 FROM `tax_classes`
	WHERE `business_id` = new.business_id AND `code` = new.tax_class AND `archived_at` IS NULL) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: products_tax_class');
END;
--> statement-breakpoint
CREATE TRIGGER `tax_rates_tax_class_insert` BEFORE INSERT ON `tax_rates`
WHEN new.tax_class <> 'standard' AND new.archived_at IS NULL AND NOT EXISTS (SELECT 1 FROM `tax_classes`
	WHERE `business_id` = new.business_id AND `code` = new.tax_class AND `archived_at` IS NULL) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: tax_rates_tax_class');
END;
--> statement-breakpoint
CREATE TRIGGER `tax_rates_tax_class_update` BEFORE UPDATE OF `tax_class` ON `tax_rates`
WHEN new.tax_class <> 'standard' AND new.tax_class <> old.tax_class AND NOT EXISTS (SELECT 1 FROM `tax_classes`
	WHERE `business_id` = new.business_id AND `code` = new.tax_class AND `archived_at` IS NULL) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: tax_rates_tax_class');
END;
--> statement-breakpoint
-- The rates of one place are few, because every cart there reads them (shared/tax/tax-rate.ts).
CREATE TRIGGER `tax_rates_per_place_insert` BEFORE INSERT ON `tax_rates`
WHEN new.is_active = 1 AND new.archived_at IS NULL AND 50 <= (SELECT count(*) FROM `tax_rates`
	WHERE `business_id` = new.business_id AND `country` = new.country AND `region_key` = new.region_key
		AND `postal_key` = new.postal_key AND `is_active` = 1 AND `archived_at` IS NULL AND `id` <> new.id) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: tax_rates_per_place');
END;
--> statement-breakpoint
CREATE TRIGGER `tax_rates_per_place_update` BEFORE UPDATE ON `tax_rates`
WHEN new.is_active = 1 AND new.archived_at IS NULL AND 50 <= (SELECT count(*) FROM `tax_rates`
	WHERE `business_id` = new.business_id AND `country` = new.country AND `region_key` = new.region_key
		AND `postal_key` = new.postal_key AND `is_active` = 1 AND `archived_at` IS NULL AND `id` <> new.id) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: tax_rates_per_place');
END;
--> statement-breakpoint
-- Rejects writes while the business moves to another shard.
CREATE TRIGGER `fence_tax_classes_insert` BEFORE INSERT ON `tax_classes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_tax_classes_update` BEFORE UPDATE ON `tax_classes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_tax_classes_delete` BEFORE DELETE ON `tax_classes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_tax_rates_insert` BEFORE INSERT ON `tax_rates`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_tax_rates_update` BEFORE UPDATE ON `tax_rates`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_tax_rates_delete` BEFORE DELETE ON `tax_rates`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
