-- Events lose the CHECK on their type, so that a new type of event needs no migration. SQLite drops a CHECK only with
-- its table. Deliveries refer to events, so they are copied and created again as well: dropping a table whose rows
-- others refer to fails, and D1 cannot turn foreign keys off. The last statements create the fences of both tables.

ALTER TABLE `orders` ADD `tax` text;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `payload` text DEFAULT 'compact' NOT NULL;--> statement-breakpoint
CREATE TABLE `copied_events` AS SELECT * FROM `events`;--> statement-breakpoint
CREATE TABLE `copied_webhook_deliveries` AS SELECT * FROM `webhook_deliveries`;--> statement-breakpoint
DROP TABLE `webhook_deliveries`;--> statement-breakpoint
DROP TABLE `events`;--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`type` text NOT NULL,
	`subject_id` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`dispatched_at` integer,
	`is_test` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
INSERT INTO `events` (`id`, `business_id`, `type`, `subject_id`, `data`, `created_at`, `dispatched_at`, `is_test`)
	SELECT `id`, `business_id`, `type`, `subject_id`, `data`, `created_at`, `dispatched_at`, `is_test` FROM `copied_events`;--> statement-breakpoint
DROP TABLE `copied_events`;--> statement-breakpoint
CREATE INDEX `events_waiting` ON `events` (`business_id`,`created_at`) WHERE dispatched_at is null;--> statement-breakpoint
CREATE INDEX `events_laid_out` ON `events` (`dispatched_at`) WHERE dispatched_at is not null;--> statement-breakpoint
CREATE INDEX `events_by_subject` ON `events` (`business_id`,`subject_id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`event_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` text NOT NULL,
	`first_attempt_at` integer,
	`next_attempt_at` integer,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`full_data` text,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscription_id`) REFERENCES `webhook_subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_deliveries_status" CHECK("webhook_deliveries"."status" in ('pending', 'delivered', 'failed', 'exhausted'))
);
--> statement-breakpoint
INSERT INTO `webhook_deliveries` (`id`, `business_id`, `subscription_id`, `event_id`, `status`, `attempts`, `first_attempt_at`, `next_attempt_at`, `lease_until`, `created_at`)
	SELECT `id`, `business_id`, `subscription_id`, `event_id`, `status`, `attempts`, `first_attempt_at`, `next_attempt_at`, `lease_until`, `created_at` FROM `copied_webhook_deliveries`;--> statement-breakpoint
DROP TABLE `copied_webhook_deliveries`;--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`event_id`,`subscription_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_receiver` ON `webhook_deliveries` (`subscription_id`,(first_attempt_at is null),`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_in_hand` ON `webhook_deliveries` (`subscription_id`,`lease_until`) WHERE lease_until is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`business_id`,`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_subscription` ON `webhook_deliveries` (`subscription_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_ended` ON `webhook_deliveries` ((case when attempts = '[]' then created_at else attempts ->> '$[#-1].at' end)) WHERE next_attempt_at is null;--> statement-breakpoint
CREATE TRIGGER `fence_events_insert` BEFORE INSERT ON `events`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_events_update` BEFORE UPDATE ON `events`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_events_delete` BEFORE DELETE ON `events`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_webhook_deliveries_insert` BEFORE INSERT ON `webhook_deliveries`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_webhook_deliveries_update` BEFORE UPDATE ON `webhook_deliveries`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_webhook_deliveries_delete` BEFORE DELETE ON `webhook_deliveries`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
