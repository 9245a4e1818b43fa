CREATE TABLE `link_unassigned_orders` (
	`order_id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`account_id` text NOT NULL,
	`due_at` integer,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `link_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `link_unassigned_orders_of_account` ON `link_unassigned_orders` (`account_id`);--> statement-breakpoint
CREATE INDEX `link_unassigned_orders_of_business` ON `link_unassigned_orders` (`business_id`);--> statement-breakpoint
CREATE INDEX `link_unassigned_orders_due` ON `link_unassigned_orders` (`due_at`) WHERE due_at is not null;