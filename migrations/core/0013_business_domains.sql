CREATE TABLE `business_domains` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`hostname` text NOT NULL,
	`verified_at` integer,
	`created_at` integer NOT NULL,
	`check_due_at` integer,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `business_domains_of_business` ON `business_domains` (`business_id`,`hostname`);--> statement-breakpoint
CREATE INDEX `business_domains_by_hostname` ON `business_domains` (`hostname`);--> statement-breakpoint
CREATE UNIQUE INDEX `business_domains_verified` ON `business_domains` (`hostname`) WHERE verified_at is not null;--> statement-breakpoint
CREATE INDEX `business_domains_to_check` ON `business_domains` (`check_due_at`) WHERE check_due_at is not null;