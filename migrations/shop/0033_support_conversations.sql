CREATE TABLE `support_conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`status` text NOT NULL,
	`customer_id` text,
	`message_count` integer NOT NULL,
	`last_message_at` integer,
	`created_at` integer NOT NULL,
	`active_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`erase_due_at` integer,
	CONSTRAINT "support_conversations_status" CHECK("support_conversations"."status" in ('open', 'closed')),
	CONSTRAINT "support_conversations_count" CHECK(message_count >= 0),
	CONSTRAINT "support_conversations_active" CHECK(active_at = coalesce(last_message_at, created_at))
);
--> statement-breakpoint
CREATE INDEX `support_conversations_by_activity` ON `support_conversations` (`business_id`,`active_at`,`id`);--> statement-breakpoint
CREATE INDEX `support_conversations_by_status` ON `support_conversations` (`business_id`,`status`,`active_at`,`id`);--> statement-breakpoint
CREATE INDEX `support_conversations_by_customer` ON `support_conversations` (`business_id`,`customer_id`) WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX `support_conversations_erasing` ON `support_conversations` (`erase_due_at`) WHERE erase_due_at is not null;