CREATE TABLE `bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`order_id` text NOT NULL,
	`line_item_id` text NOT NULL,
	`service_id` text NOT NULL,
	`service_name` text NOT NULL,
	`variant_id` text,
	`staff_id` text,
	`location_id` text NOT NULL,
	`start_time` integer NOT NULL,
	`end_time` integer NOT NULL,
	`participant_count` integer NOT NULL,
	`status` text NOT NULL,
	`customer_id` text,
	`cancelled_at` integer,
	`cancellation_reason` text,
	`rescheduled_from` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	FOREIGN KEY (`service_id`) REFERENCES `services`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bookings_status" CHECK("bookings"."status" in ('pending', 'confirmed', 'completed', 'cancelled', 'no_show')),
	CONSTRAINT "bookings_times" CHECK(start_time < end_time),
	CONSTRAINT "bookings_participants" CHECK(participant_count > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_by_line` ON `bookings` (`order_id`,`line_item_id`);--> statement-breakpoint
CREATE INDEX `bookings_by_start` ON `bookings` (`business_id`,`start_time`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_by_status` ON `bookings` (`business_id`,`status`,`start_time`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_by_service` ON `bookings` (`business_id`,`service_id`,`start_time`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_by_customer` ON `bookings` (`business_id`,`customer_id`,`start_time`,`id`);--> statement-breakpoint
CREATE TABLE `resources` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`capacity` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	CONSTRAINT "resources_capacity" CHECK(capacity > 0)
);
--> statement-breakpoint
CREATE INDEX `resources_by_business` ON `resources` (`business_id`,`id`) WHERE archived_at is null;--> statement-breakpoint
CREATE TABLE `slot_claim_resources` (
	`claim_id` text NOT NULL,
	`resource_id` text NOT NULL,
	`business_id` text NOT NULL,
	`participants` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`occupied_until` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`claim_id`, `resource_id`),
	FOREIGN KEY (`claim_id`) REFERENCES `slot_claims`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`resource_id`) REFERENCES `resources`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `slot_claims_by_resource` ON `slot_claim_resources` (`business_id`,`resource_id`,`starts_at`,`occupied_until`,`expires_at`,`participants`);--> statement-breakpoint
CREATE TABLE `slot_claims` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`kind` text NOT NULL,
	`service_id` text NOT NULL,
	`location_id` text NOT NULL,
	`staff_id` text,
	`resource_ids` text NOT NULL,
	`participants` integer NOT NULL,
	`capacity` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`occupied_until` integer NOT NULL,
	`claimed_at` integer NOT NULL,
	`expires_at` integer,
	`session_id` text,
	`order_id` text,
	`order_line_id` text,
	FOREIGN KEY (`service_id`) REFERENCES `services`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "slot_claims_kind" CHECK("slot_claims"."kind" in ('hold', 'booking')),
	CONSTRAINT "slot_claims_participants" CHECK(participants > 0),
	CONSTRAINT "slot_claims_times" CHECK(starts_at < ends_at and ends_at <= occupied_until and occupied_until - starts_at <= 691200000),
	CONSTRAINT "slot_claims_holder" CHECK(case kind when 'hold' then session_id is not null and expires_at is not null and expires_at > claimed_at and order_id is null
        else expires_at is null and order_id is not null and order_line_id is not null end)
);
--> statement-breakpoint
CREATE INDEX `slot_claims_by_service` ON `slot_claims` (`business_id`,`service_id`,`location_id`,`starts_at`,`occupied_until`,`expires_at`,`participants`);--> statement-breakpoint
CREATE INDEX `slot_claims_by_staff` ON `slot_claims` (`business_id`,`staff_id`,`starts_at`,`occupied_until`,`expires_at`,`participants`,`service_id`,`location_id`) WHERE staff_id is not null;--> statement-breakpoint
CREATE INDEX `slot_claims_by_session` ON `slot_claims` (`business_id`,`session_id`) WHERE session_id is not null;--> statement-breakpoint
CREATE INDEX `slot_claims_by_order` ON `slot_claims` (`business_id`,`order_id`) WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX `slot_claims_expiring` ON `slot_claims` (`expires_at`) WHERE expires_at is not null;--> statement-breakpoint
CREATE TABLE `staff` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`hours` text,
	`time_off` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer
);
--> statement-breakpoint
CREATE INDEX `staff_by_business` ON `staff` (`business_id`,`id`) WHERE archived_at is null;--> statement-breakpoint
ALTER TABLE `services` ADD `staff_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `services` ADD `resource_ids` text DEFAULT '[]' NOT NULL;