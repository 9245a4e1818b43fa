PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_sandbox_charges` (
	`reference` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`phone_number` text,
	`success_url` text,
	`cancel_url` text,
	`status` text NOT NULL,
	`refunded_minor` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "sandbox_charges_status" CHECK("__new_sandbox_charges"."status" in ('requires_otp', 'on_phone', 'redirected', 'declined', 'captured', 'no_answer', 'refunded')),
	CONSTRAINT "sandbox_charges_refunded" CHECK(refunded_minor between 0 and amount_minor)
);
--> statement-breakpoint
INSERT INTO `__new_sandbox_charges`("reference", "order_id", "amount_minor", "currency", "phone_number", "success_url", "cancel_url", "status", "refunded_minor", "created_at") SELECT "reference", "order_id", "amount_minor", "currency", "phone_number", "success_url", "cancel_url", "status", "refunded_minor", "created_at" FROM `sandbox_charges`;--> statement-breakpoint
DROP TABLE `sandbox_charges`;--> statement-breakpoint
ALTER TABLE `__new_sandbox_charges` RENAME TO `sandbox_charges`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `sandbox_charges_by_order` ON `sandbox_charges` (`order_id`);