CREATE TABLE `core_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`first_attempt_at` integer,
	`next_attempt_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `core_messages_due` ON `core_messages` (`next_attempt_at`);