DROP INDEX `webhook_deliveries_due`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_receiver` ON `webhook_deliveries` (`subscription_id`,(first_attempt_at is null),`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_in_hand` ON `webhook_deliveries` (`subscription_id`,`lease_until`) WHERE lease_until is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`business_id`,`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `failed_attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `held_until` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `is_test` integer DEFAULT false NOT NULL;