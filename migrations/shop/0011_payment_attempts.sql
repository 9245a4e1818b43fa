ALTER TABLE `order_lines` ADD `choices` text;--> statement-breakpoint
ALTER TABLE `payment_references` ADD `method` text;--> statement-breakpoint
ALTER TABLE `payment_references` ADD `provider` text;--> statement-breakpoint
ALTER TABLE `payment_references` ADD `amount_minor` integer;--> statement-breakpoint
ALTER TABLE `payment_references` ADD `currency` text;--> statement-breakpoint
ALTER TABLE `payment_references` ADD `fx` text;--> statement-breakpoint
ALTER TABLE `payment_references` ADD `created_at` integer;--> statement-breakpoint
ALTER TABLE `payment_references` ADD `declined_at` integer;--> statement-breakpoint
ALTER TABLE `payment_references` ADD `lease_until` integer;--> statement-breakpoint
ALTER TABLE `payment_references` ADD `request_key` text;--> statement-breakpoint
CREATE INDEX `payment_references_by_payment` ON `payment_references` (`payment_id`) WHERE method is not null;
