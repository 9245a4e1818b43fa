CREATE TABLE `job_leases` (
	`job` text NOT NULL,
	`chain` integer NOT NULL,
	`holder` text NOT NULL,
	`lease_until` integer NOT NULL,
	PRIMARY KEY(`job`, `chain`)
);
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_unnamed` ON `webhook_subscriptions` (`created_at`) WHERE signing_secret_id is null;