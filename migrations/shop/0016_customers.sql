CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text,
	`email` text,
	`phone` text,
	`email_verified_at` integer,
	`phone_verified_at` integer,
	`sessions_ended_at` integer,
	`erased_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "customers_verified" CHECK((email is not null or email_verified_at is null) and (phone is not null or phone_verified_at is null)),
	CONSTRAINT "customers_erased" CHECK(erased_at is null or (name is null and email is null and phone is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_verified_email` ON `customers` (`business_id`,`email`) WHERE email_verified_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `customers_verified_phone` ON `customers` (`business_id`,`phone`) WHERE phone_verified_at is not null;--> statement-breakpoint
CREATE INDEX `customers_newest` ON `customers` (`business_id`,`id`) WHERE erased_at is null;--> statement-breakpoint
CREATE TABLE `one_time_codes` (
	`id` integer PRIMARY KEY NOT NULL,
	`audience` text NOT NULL,
	`contact_digest` text NOT NULL,
	`address_digest` text NOT NULL,
	`code_digest` text NOT NULL,
	`wrong_tries` integer NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`redeemed_at` integer,
	CONSTRAINT "one_time_codes_wrong_tries" CHECK(wrong_tries between 0 and 5)
);
--> statement-breakpoint
CREATE INDEX `one_time_codes_of_contact` ON `one_time_codes` (`audience`,`contact_digest`,`id`);--> statement-breakpoint
CREATE INDEX `one_time_codes_of_address` ON `one_time_codes` (`audience`,`address_digest`,`id`);--> statement-breakpoint
CREATE INDEX `one_time_codes_by_age` ON `one_time_codes` (`issued_at`);