CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`kind` text NOT NULL,
	`mode` text NOT NULL,
	`business_id` text,
	`organization_id` text,
	`scopes` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_kind" CHECK("api_keys"."kind" in ('publishable', 'secret', 'deploy')),
	CONSTRAINT "api_keys_mode" CHECK("api_keys"."mode" in ('live', 'test')),
	CONSTRAINT "api_keys_one_owner" CHECK((business_id is null) <> (organization_id is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_business` ON `api_keys` (`business_id`);--> statement-breakpoint
CREATE TABLE `businesses` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`currency` text NOT NULL,
	`default_country` text NOT NULL,
	`timezone` text NOT NULL,
	`shard` text NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "businesses_mode" CHECK("businesses"."mode" in ('live', 'test'))
);
--> statement-breakpoint
CREATE INDEX `businesses_by_organization` ON `businesses` (`organization_id`);--> statement-breakpoint
CREATE INDEX `businesses_by_age` ON `businesses` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `locations` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`address` text,
	`timezone` text NOT NULL,
	`operating_hours` text NOT NULL,
	`closures` text NOT NULL,
	`is_default` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `locations_by_business` ON `locations` (`business_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `locations_one_default` ON `locations` (`business_id`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`default_business_id` text,
	`created_at` integer NOT NULL
);
