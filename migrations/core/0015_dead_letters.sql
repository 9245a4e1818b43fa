CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`message_id` text NOT NULL,
	`business_id` text NOT NULL,
	`shard` text NOT NULL,
	`received_at` integer NOT NULL,
	`claimed_until` integer,
	`retried_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_message` ON `dead_letters` (`queue`,`message_id`);--> statement-breakpoint
CREATE INDEX `dead_letters_waiting` ON `dead_letters` (`received_at`) WHERE retried_at is null;--> statement-breakpoint
CREATE INDEX `dead_letters_by_age` ON `dead_letters` (`received_at`);--> statement-breakpoint
CREATE INDEX `dead_letters_of_business` ON `dead_letters` (`business_id`);