CREATE TABLE `business_data_keys` (
	`business_id` text PRIMARY KEY NOT NULL,
	`wrapping_key_id` text NOT NULL,
	`wrapped` text NOT NULL,
	`created_at` integer NOT NULL,
	`wrapped_at` integer NOT NULL,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `business_data_keys_by_wrapping_key` ON `business_data_keys` (`wrapping_key_id`,`business_id`);--> statement-breakpoint
CREATE TABLE `provider_accounts` (
	`business_id` text NOT NULL,
	`provider` text NOT NULL,
	`mode` text NOT NULL,
	`status` text NOT NULL,
	`sealed_credentials` text NOT NULL,
	`key_hint` text NOT NULL,
	`methods` text NOT NULL,
	`currencies` text NOT NULL,
	`connected_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_error` text,
	PRIMARY KEY(`business_id`, `provider`),
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "provider_accounts_provider" CHECK("provider_accounts"."provider" in ('stripe', 'paystack')),
	CONSTRAINT "provider_accounts_mode" CHECK("provider_accounts"."mode" in ('live', 'test')),
	CONSTRAINT "provider_accounts_status" CHECK("provider_accounts"."status" in ('active', 'invalid', 'disabled')),
	CONSTRAINT "provider_accounts_error" CHECK(status <> 'invalid' or last_error is not null),
	CONSTRAINT "provider_accounts_hint" CHECK(length(key_hint) <= 4)
);
--> statement-breakpoint
ALTER TABLE `businesses` ADD `payments` text DEFAULT 'own' NOT NULL CHECK (`payments` in ('own', 'platform'));--> statement-breakpoint
-- Live businesses have been paid through the deployment's account, and go on so.
UPDATE `businesses` SET `payments` = 'platform' WHERE `mode` = 'live';--> statement-breakpoint
ALTER TABLE `reconciliations` ADD `business_id` text;--> statement-breakpoint
CREATE INDEX `reconciliations_due` ON `reconciliations` (`due_at`);--> statement-breakpoint
CREATE INDEX `reconciliations_of_business` ON `reconciliations` (`business_id`) WHERE business_id is not null;