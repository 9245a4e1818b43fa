ALTER TABLE `messages` ADD `sealed_values` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `messages_by_name` ON `messages` (`business_id`,`name`,`created_at`,`id`);