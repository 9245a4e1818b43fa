-- Events get a sequence, which numbers those of a subject from 1. Stored events are numbered in the order of their
-- transactions. The subject of a payment's event is now the order, that of inventory.low_stock the product.
--
-- The trigger events_sequence numbers events whose writer does not know the column: the Workers that still run while
-- this migration is applied. All others number their events themselves, because a trigger writes each row twice.
-- A migration that rebuilds events has to create it again. The last statements create the fences of event_sequences.
--
-- A job fills in webhook_subscriptions.signing_secret_id, because only the Workers know the signing secret.

CREATE TABLE `event_sequences` (
	`business_id` text NOT NULL,
	`subject_id` text NOT NULL,
	`last_sequence` integer NOT NULL,
	PRIMARY KEY(`business_id`, `subject_id`)
);
--> statement-breakpoint
DROP INDEX `webhook_deliveries_of_receiver`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_first_attempts` ON `webhook_deliveries` (`subscription_id`) WHERE first_attempt_at is null and next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_retries` ON `webhook_deliveries` (`subscription_id`,`next_attempt_at`) WHERE first_attempt_at is not null and next_attempt_at is not null;--> statement-breakpoint
DROP INDEX `events_waiting`;--> statement-breakpoint
DROP INDEX `events_by_subject`;--> statement-breakpoint
ALTER TABLE `events` ADD `sequence` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `events` SET `subject_id` = `data` ->> 'order_id' WHERE `type` LIKE 'payment.%' AND `is_test` = 0;--> statement-breakpoint
UPDATE `events` SET `subject_id` = `data` ->> 'product_id' WHERE `type` = 'inventory.low_stock' AND `is_test` = 0;--> statement-breakpoint
UPDATE `events` SET `sequence` = `numbered`.`sequence`
	FROM (SELECT `id`, row_number() OVER (PARTITION BY `business_id`, `subject_id` ORDER BY `rowid`) AS `sequence` FROM `events`) AS `numbered`
	WHERE `numbered`.`id` = `events`.`id`;--> statement-breakpoint
CREATE INDEX `events_waiting` ON `events` (`business_id`) WHERE dispatched_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `events_by_subject` ON `events` (`business_id`,`subject_id`,`sequence`);--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `signing_secret_id` text;--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_of_unnamed_secret` ON `webhook_subscriptions` (`business_id`) WHERE signing_secret_id is null;--> statement-breakpoint
CREATE TRIGGER `events_sequence` AFTER INSERT ON `events`
WHEN new.sequence = 0 BEGIN
	UPDATE `events` SET `sequence` = 1 + max(
		coalesce((SELECT max(`sequence`) FROM `events` WHERE `business_id` = new.business_id AND `subject_id` = new.subject_id), 0),
		coalesce((SELECT `last_sequence` FROM `event_sequences` WHERE `business_id` = new.business_id AND `subject_id` = new.subject_id), 0))
	WHERE `id` = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `fence_event_sequences_insert` BEFORE INSERT ON `event_sequences`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_event_sequences_update` BEFORE UPDATE ON `event_sequences`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_event_sequences_delete` BEFORE DELETE ON `event_sequences`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
