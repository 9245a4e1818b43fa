CREATE TABLE `reconciliation_differences` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`entry` text NOT NULL,
	`reference` text,
	`business_id` text,
	`order_id` text,
	`expected_minor` integer,
	`expected_currency` text,
	`reported_minor` integer,
	`reported_currency` text,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	CONSTRAINT "reconciliation_differences_kind" CHECK("reconciliation_differences"."kind" in ('unknown_reference', 'amount_differs', 'not_captured', 'not_recorded', 'unknown_refund', 'refund_differs', 'missing_refund'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reconciliation_differences_entry` ON `reconciliation_differences` (`account`,`kind`,`entry`);--> statement-breakpoint
CREATE INDEX `reconciliation_differences_seen` ON `reconciliation_differences` (`last_seen_at`);--> statement-breakpoint
CREATE INDEX `reconciliation_differences_of_business` ON `reconciliation_differences` (`business_id`) WHERE business_id is not null;--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`account` text PRIMARY KEY NOT NULL,
	`position` text,
	`reconciled_until` integer,
	`due_at` integer NOT NULL
);
