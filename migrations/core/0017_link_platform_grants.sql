CREATE TABLE `link_platform_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`account_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`scopes` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`code_challenge` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_expires_at` integer NOT NULL,
	`code_used_for` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `link_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_platform_grants_code_hash_unique` ON `link_platform_grants` (`code_hash`);--> statement-breakpoint
CREATE INDEX `link_platform_grants_of_account` ON `link_platform_grants` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `link_platform_grants_of_business` ON `link_platform_grants` (`business_id`);--> statement-breakpoint
CREATE INDEX `link_platform_grants_by_end` ON `link_platform_grants` (`expires_at`);--> statement-breakpoint
CREATE TABLE `link_platform_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`grant_id` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`replaced_by` text,
	FOREIGN KEY (`grant_id`) REFERENCES `link_platform_grants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "link_platform_tokens_kind" CHECK("link_platform_tokens"."kind" in ('access', 'refresh')),
	CONSTRAINT "link_platform_tokens_replaced" CHECK(replaced_by is null or kind = 'refresh')
);
--> statement-breakpoint
CREATE INDEX `link_platform_tokens_of_grant` ON `link_platform_tokens` (`grant_id`);--> statement-breakpoint
CREATE INDEX `link_platform_tokens_by_end` ON `link_platform_tokens` (`expires_at`);