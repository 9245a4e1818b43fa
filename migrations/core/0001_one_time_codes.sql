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