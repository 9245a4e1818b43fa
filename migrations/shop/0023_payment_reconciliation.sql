ALTER TABLE `orders` ADD `missing_provider` text;--> statement-breakpoint
CREATE INDEX `orders_without_provider` ON `orders` (`business_id`,`missing_provider`) WHERE missing_provider is not null;--> statement-breakpoint
CREATE INDEX `refunds_settled` ON `refunds` (`settled_at`,`id`) WHERE settled_at is not null;