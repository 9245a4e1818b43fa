CREATE TABLE `agent_signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`public_x` text NOT NULL,
	`public_y` text NOT NULL,
	`sealed_private_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "agent_signing_keys_times" CHECK(retired_at is null or retired_at >= created_at)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_signing_keys_active` ON `agent_signing_keys` (`business_id`) WHERE retired_at is null;--> statement-breakpoint
CREATE INDEX `agent_signing_keys_of_business` ON `agent_signing_keys` (`business_id`,`created_at`);