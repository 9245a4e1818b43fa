CREATE TABLE `job_failures` (
	`job` text NOT NULL,
	`record` text NOT NULL,
	`shard` text,
	`failures` integer NOT NULL,
	`first_failed_at` integer NOT NULL,
	`last_failed_at` integer NOT NULL,
	PRIMARY KEY(`job`, `record`)
);
--> statement-breakpoint
CREATE INDEX `job_failures_latest` ON `job_failures` (`last_failed_at`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_reconciliation_differences` (
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
	CONSTRAINT "reconciliation_differences_kind" CHECK("__new_reconciliation_differences"."kind" in ('unknown_reference', 'amount_differs', 'not_captured', 'missing_charge', 'not_recorded', 'unknown_refund', 'refund_differs', 'missing_refund'))
);
--> statement-breakpoint
INSERT INTO `__new_reconciliation_differences`("id", "account", "kind", "entry", "reference", "business_id", "order_id", "expected_minor", "expected_currency", "reported_minor", "reported_currency", "first_seen_at", "last_seen_at") SELECT "id", "account", "kind", "entry", "reference", "business_id", "order_id", "expected_minor", "expected_currency", "reported_minor", "reported_currency", "first_seen_at", "last_seen_at" FROM `reconciliation_differences`;--> statement-breakpoint
DROP TABLE `reconciliation_differences`;--> statement-breakpoint
ALTER TABLE `__new_reconciliation_differences` RENAME TO `reconciliation_differences`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `reconciliation_differences_entry` ON `reconciliation_differences` (`account`,`kind`,`entry`);--> statement-breakpoint
CREATE INDEX `reconciliation_differences_seen` ON `reconciliation_differences` (`last_seen_at`);--> statement-breakpoint
CREATE INDEX `reconciliation_differences_of_business` ON `reconciliation_differences` (`business_id`) WHERE business_id is not null;