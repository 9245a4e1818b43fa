ALTER TABLE `businesses` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `businesses` ADD `closed_at` integer;--> statement-breakpoint
ALTER TABLE `businesses` ADD `erase_due_at` integer;--> statement-breakpoint
ALTER TABLE `businesses` ADD `erase_position` text;--> statement-breakpoint
CREATE INDEX `businesses_to_erase` ON `businesses` (`erase_due_at`) WHERE erase_due_at is not null;