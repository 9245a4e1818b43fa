DROP INDEX `products_by_name`;--> statement-breakpoint
CREATE INDEX `products_by_name` ON `products` (`business_id`,name collate nocase,`id`) WHERE is_active = 1 and archived_at is null;