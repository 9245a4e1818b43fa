CREATE TABLE `idempotency_keys` (
	`business_id` text NOT NULL,
	`caller` text NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer,
	`body` text,
	`lease_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`business_id`, `caller`, `route`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_by_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `link_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`mode` text NOT NULL,
	`customer_id` text NOT NULL,
	`name` text,
	`enrolled_at` integer,
	`preferred_order_type` text,
	`notify_on_order` integer NOT NULL,
	`preferences_updated_at` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "link_accounts_mode" CHECK("link_accounts"."mode" in ('live', 'test')),
	CONSTRAINT "link_accounts_order_type" CHECK("link_accounts"."preferred_order_type" in ('delivery', 'pickup', 'dine-in', 'walk-in'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_accounts_customer_id_unique` ON `link_accounts` (`customer_id`);--> statement-breakpoint
CREATE TABLE `link_addresses` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`label` text,
	`street_address` text NOT NULL,
	`apartment` text,
	`city` text,
	`region` text,
	`country` text,
	`is_default` integer NOT NULL,
	`usage_count` integer NOT NULL,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `link_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `link_addresses_of_account` ON `link_addresses` (`account_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `link_addresses_one_default` ON `link_addresses` (`account_id`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `link_contacts` (
	`mode` text NOT NULL,
	`type` text NOT NULL,
	`value` text NOT NULL,
	`account_id` text NOT NULL,
	`verified_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`mode`, `type`, `value`),
	FOREIGN KEY (`account_id`) REFERENCES `link_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "link_contacts_mode" CHECK("link_contacts"."mode" in ('live', 'test')),
	CONSTRAINT "link_contacts_type" CHECK("link_contacts"."type" in ('phone', 'email'))
);
--> statement-breakpoint
CREATE INDEX `link_contacts_of_account` ON `link_contacts` (`account_id`);--> statement-breakpoint
CREATE TABLE `link_mobile_money` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`phone_number` text NOT NULL,
	`provider` text NOT NULL,
	`label` text,
	`is_default` integer NOT NULL,
	`verified_at` integer,
	`usage_count` integer NOT NULL,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `link_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "link_mobile_money_provider" CHECK("link_mobile_money"."provider" in ('mtn', 'vod', 'atl', 'mpesa'))
);
--> statement-breakpoint
CREATE INDEX `link_mobile_money_of_account` ON `link_mobile_money` (`account_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `link_mobile_money_one_default` ON `link_mobile_money` (`account_id`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `link_order_intents` (
	`order_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`business_id` text NOT NULL,
	`account_id` text NOT NULL,
	`contact_type` text,
	`contact_value` text,
	`is_owners` integer NOT NULL,
	`address` text,
	`mobile_money` text,
	`order_type` text,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `link_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "link_order_intents_contact" CHECK((contact_type is null) = (contact_value is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_order_intents_id_unique` ON `link_order_intents` (`id`);--> statement-breakpoint
CREATE INDEX `link_order_intents_due` ON `link_order_intents` (`due_at`);--> statement-breakpoint
CREATE INDEX `link_order_intents_of_account` ON `link_order_intents` (`account_id`);--> statement-breakpoint
CREATE TABLE `link_refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`replaced_by` text,
	FOREIGN KEY (`session_id`) REFERENCES `link_sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `link_refresh_tokens_of_session` ON `link_refresh_tokens` (`session_id`);--> statement-breakpoint
CREATE INDEX `link_refresh_tokens_by_end` ON `link_refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `link_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`device` text,
	`country` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `link_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `link_sessions_of_account` ON `link_sessions` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `link_sessions_by_end` ON `link_sessions` (`expires_at`);