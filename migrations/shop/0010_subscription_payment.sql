ALTER TABLE `subscriptions` ADD `payment` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `cancelled_by` text;