DROP INDEX `stock_levels_by_product`;--> statement-breakpoint
DROP INDEX `stock_levels_by_location`;--> statement-breakpoint
CREATE INDEX `stock_levels_by_product` ON `stock_levels` (`business_id`,`product_id`,`item_id`,`location_id`);--> statement-breakpoint
CREATE INDEX `stock_levels_by_location` ON `stock_levels` (`business_id`,`location_id`,`item_id`);--> statement-breakpoint
DROP INDEX `audit_by_entity`;--> statement-breakpoint
DROP INDEX `audit_by_actor`;--> statement-breakpoint
CREATE INDEX `audit_by_entity` ON `audit_entries` (`business_id`,`entity`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit_entries` (`business_id`,`actor`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `categories_in_order` ON `categories` (`business_id`,`sort_order`,`id`) WHERE archived_at is null;