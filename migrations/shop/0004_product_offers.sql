ALTER TABLE `products` ADD `price_overrides` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `schedules` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `billing_plan_ids` text DEFAULT '[]' NOT NULL;