-- Messages to customers and members, with their templates and settings, and the triggers that reject writes
-- while the business moves to another shard.

CREATE TABLE `message_settings` (
	`business_id` text PRIMARY KEY NOT NULL,
	`sender_name` text,
	`reply_to` text,
	`locale` text DEFAULT 'en' NOT NULL,
	`footer` text,
	`reminder_hours` integer DEFAULT 24 NOT NULL,
	`sms` text DEFAULT 'always' NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `message_templates` (
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`subject` text,
	`body` text,
	`sms_body` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`business_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`source_id` text NOT NULL,
	`event_id` text,
	`subject_id` text NOT NULL,
	`order_id` text,
	`customer_id` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`first_attempt_at` integer,
	`next_attempt_at` integer,
	`provider` text,
	`provider_id` text,
	`error` text,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	CONSTRAINT "messages_channel" CHECK("messages"."channel" in ('sms', 'email')),
	CONSTRAINT "messages_status" CHECK("messages"."status" in ('queued', 'sent', 'failed', 'skipped')),
	CONSTRAINT "messages_due_while_queued" CHECK((status = 'queued') = (next_attempt_at is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_once` ON `messages` (`business_id`,`source_id`,`name`,`channel`,`recipient`);--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `messages_newest` ON `messages` (`business_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `messages_by_status` ON `messages` (`business_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `messages_of_order` ON `messages` (`order_id`) WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX `messages_of_customer` ON `messages` (`business_id`,`customer_id`) WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX `messages_of_subject` ON `messages` (`business_id`,`subject_id`,`name`);--> statement-breakpoint
CREATE INDEX `messages_ended` ON `messages` (`created_at`) WHERE next_attempt_at is null;--> statement-breakpoint
CREATE TABLE `suppressed_recipients` (
	`business_id` text NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`business_id`, `channel`, `recipient`)
);
--> statement-breakpoint
CREATE INDEX `subscriptions_failed` ON `subscriptions` (`failed_at`) WHERE failed_at is not null;--> statement-breakpoint
CREATE INDEX `subscriptions_ending` ON `subscriptions` (`ends_at`) WHERE ends_at is not null and status <> 'cancelled';
--> statement-breakpoint
CREATE TRIGGER `fence_messages_insert` BEFORE INSERT ON `messages`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_messages_update` BEFORE UPDATE ON `messages`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_messages_delete` BEFORE DELETE ON `messages`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_message_templates_insert` BEFORE INSERT ON `message_templates`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_message_templates_update` BEFORE UPDATE ON `message_templates`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_message_templates_delete` BEFORE DELETE ON `message_templates`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_message_settings_insert` BEFORE INSERT ON `message_settings`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_message_settings_update` BEFORE UPDATE ON `message_settings`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_message_settings_delete` BEFORE DELETE ON `message_settings`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_suppressed_recipients_insert` BEFORE INSERT ON `suppressed_recipients`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_suppressed_recipients_update` BEFORE UPDATE ON `suppressed_recipients`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_suppressed_recipients_delete` BEFORE DELETE ON `suppressed_recipients`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
