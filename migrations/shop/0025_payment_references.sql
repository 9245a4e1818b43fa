CREATE TABLE `payment_references` (
	`reference` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`business_id` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `refunds` ADD `reference` text;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_of_reference` ON `refunds` (`reference`) WHERE reference is not null;--> statement-breakpoint
ALTER TABLE `payments` ADD `mismatch` text;