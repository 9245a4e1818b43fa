CREATE TABLE `link_pending_details` (
	`id` text PRIMARY KEY NOT NULL,
	`mode` text NOT NULL,
	`contact_type` text NOT NULL,
	`contact_value` text NOT NULL,
	`order_id` text,
	`business_id` text NOT NULL,
	`business_name` text NOT NULL,
	`name` text,
	`address` text,
	`mobile_money` text,
	`order_type` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`settled_at` integer,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "link_pending_details_mode" CHECK("link_pending_details"."mode" in ('live', 'test')),
	CONSTRAINT "link_pending_details_type" CHECK("link_pending_details"."contact_type" in ('phone', 'email')),
	CONSTRAINT "link_pending_details_order_type" CHECK("link_pending_details"."order_type" in ('delivery', 'pickup', 'dine-in', 'walk-in')),
	CONSTRAINT "link_pending_details_settled" CHECK(settled_at is null or (name is null and address is null and mobile_money is null and order_type is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_pending_details_order_id_unique` ON `link_pending_details` (`order_id`);--> statement-breakpoint
CREATE INDEX `link_pending_details_of_contact` ON `link_pending_details` (`mode`,`contact_type`,`contact_value`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `link_pending_details_one_enrolment` ON `link_pending_details` (`mode`,`contact_type`,`contact_value`) WHERE order_id is null;--> statement-breakpoint
CREATE INDEX `link_pending_details_of_business` ON `link_pending_details` (`business_id`);--> statement-breakpoint
CREATE INDEX `link_pending_details_by_end` ON `link_pending_details` (`expires_at`);--> statement-breakpoint
CREATE TABLE `__new_link_unassigned_orders` (
	`order_id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`account_id` text,
	`mode` text,
	`contact_type` text,
	`contact_value` text,
	`due_at` integer,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `link_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "link_unassigned_orders_owner" CHECK((account_id is null) = (mode is not null and contact_type is not null and contact_value is not null))
);
--> statement-breakpoint
INSERT INTO `__new_link_unassigned_orders`("order_id", "business_id", "account_id", "mode", "contact_type", "contact_value", "due_at") SELECT "order_id", "business_id", "account_id", null, null, null, "due_at" FROM `link_unassigned_orders`;--> statement-breakpoint
DROP TABLE `link_unassigned_orders`;--> statement-breakpoint
ALTER TABLE `__new_link_unassigned_orders` RENAME TO `link_unassigned_orders`;--> statement-breakpoint
CREATE INDEX `link_unassigned_orders_of_account` ON `link_unassigned_orders` (`account_id`);--> statement-breakpoint
CREATE INDEX `link_unassigned_orders_of_business` ON `link_unassigned_orders` (`business_id`);--> statement-breakpoint
CREATE INDEX `link_unassigned_orders_of_contact` ON `link_unassigned_orders` (`mode`,`contact_type`,`contact_value`);--> statement-breakpoint
CREATE INDEX `link_unassigned_orders_due` ON `link_unassigned_orders` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
-- SQLite adds no column whose default is an expression, so the table is rebuilt.
CREATE TABLE `__new_link_contacts` (
	`mode` text NOT NULL,
	`type` text NOT NULL,
	`value` text NOT NULL,
	`id` text DEFAULT ('con_0' || substr(lower(hex(randomblob(13))), 2)) NOT NULL,
	`account_id` text NOT NULL,
	`verified_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`mode`, `type`, `value`),
	FOREIGN KEY (`account_id`) REFERENCES `link_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "link_contacts_mode" CHECK("__new_link_contacts"."mode" in ('live', 'test')),
	CONSTRAINT "link_contacts_type" CHECK("__new_link_contacts"."type" in ('phone', 'email'))
);
--> statement-breakpoint
INSERT INTO `__new_link_contacts`("mode", "type", "value", "account_id", "verified_at", "created_at") SELECT "mode", "type", "value", "account_id", "verified_at", "created_at" FROM `link_contacts`;--> statement-breakpoint
DROP TABLE `link_contacts`;--> statement-breakpoint
ALTER TABLE `__new_link_contacts` RENAME TO `link_contacts`;--> statement-breakpoint
CREATE INDEX `link_contacts_of_account` ON `link_contacts` (`account_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `link_contacts_id_unique` ON `link_contacts` (`id`);--> statement-breakpoint
-- Enrolments without a session that a crash interrupted: their callers have to repeat them.
DELETE FROM `link_order_intents` WHERE `is_owners` = 0;
