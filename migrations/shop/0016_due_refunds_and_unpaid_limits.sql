PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`order_id` text NOT NULL,
	`payment_id` text NOT NULL,
	`reference` text,
	`amount_minor` integer NOT NULL,
	`claimed_minor` integer NOT NULL,
	`paid_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`is_restocked` integer NOT NULL,
	`failure_reason` text,
	`request_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`settled_at` integer,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "refunds_status" CHECK("__new_refunds"."status" in ('pending', 'refund_due', 'refunded', 'failed')),
	CONSTRAINT "refunds_amount" CHECK(amount_minor > 0),
	CONSTRAINT "refunds_within_payment" CHECK(claimed_minor <= paid_minor),
	CONSTRAINT "refunds_due_while_pending" CHECK((due_at is not null) = (status = 'pending'))
);
--> statement-breakpoint
INSERT INTO `__new_refunds`("id", "business_id", "order_id", "payment_id", "reference", "amount_minor", "claimed_minor", "paid_minor", "currency", "status", "reason", "is_restocked", "failure_reason", "request_key", "created_at", "updated_at", "settled_at", "due_at", "attempts") SELECT "id", "business_id", "order_id", "payment_id", "reference", "amount_minor", "claimed_minor", "paid_minor", "currency", "status", "reason", "is_restocked", "failure_reason", "request_key", "created_at", "updated_at", "settled_at", "due_at", "attempts" FROM `refunds`;--> statement-breakpoint
DROP TABLE `refunds`;--> statement-breakpoint
ALTER TABLE `__new_refunds` RENAME TO `refunds`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `refunds_by_order` ON `refunds` (`order_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_request` ON `refunds` (`order_id`,`request_key`) WHERE request_key is not null;--> statement-breakpoint
CREATE INDEX `refunds_by_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_of_reference` ON `refunds` (`reference`) WHERE reference is not null;--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
ALTER TABLE `orders` ADD `address_digest` text;--> statement-breakpoint
CREATE INDEX `orders_of_address` ON `orders` (`address_digest`,`created_at`) WHERE address_digest is not null;--> statement-breakpoint
CREATE INDEX `orders_with_address` ON `orders` (`created_at`) WHERE address_digest is not null;--> statement-breakpoint
ALTER TABLE `services` ADD `requires_verified_contact` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `slot_claims` ADD `address_digest` text;--> statement-breakpoint
CREATE INDEX `slot_claims_by_session` ON `slot_claims` (`session_id`) WHERE session_id is not null;--> statement-breakpoint
CREATE INDEX `slot_claims_by_address` ON `slot_claims` (`address_digest`) WHERE address_digest is not null;--> statement-breakpoint
CREATE TRIGGER `fence_refunds_insert` BEFORE INSERT ON `refunds`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_refunds_update` BEFORE UPDATE ON `refunds`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_refunds_delete` BEFORE DELETE ON `refunds`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
