CREATE TABLE `sandbox_refunds` (
	`refund_id` text PRIMARY KEY NOT NULL,
	`reference` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "sandbox_refunds_amount" CHECK(amount_minor > 0)
);
--> statement-breakpoint
ALTER TABLE `sandbox_charges` ADD `success_url` text;--> statement-breakpoint
ALTER TABLE `sandbox_charges` ADD `cancel_url` text;