DROP INDEX `webhook_deliveries_by_subscription`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_subscription` ON `webhook_deliveries` (`subscription_id`,`id`);--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `retired_secrets` text DEFAULT '[]' NOT NULL;