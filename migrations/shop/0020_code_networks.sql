DROP INDEX `one_time_codes_of_contact`;--> statement-breakpoint
DROP INDEX `one_time_codes_of_address`;--> statement-breakpoint
DROP INDEX `one_time_codes_by_age`;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `wrong_tries_elsewhere` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `redeemed_address_digest` text;--> statement-breakpoint
ALTER TABLE `one_time_codes` ADD `is_reserved` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `one_time_codes_of_known_network` ON `one_time_codes` (`audience`,`contact_digest`,`redeemed_address_digest`,`redeemed_at`) WHERE redeemed_address_digest is not null;--> statement-breakpoint
CREATE INDEX `one_time_codes_known_by_age` ON `one_time_codes` (`redeemed_at`) WHERE redeemed_address_digest is not null;--> statement-breakpoint
CREATE INDEX `one_time_codes_of_contact` ON `one_time_codes` (`audience`,`contact_digest`,`issued_at`);--> statement-breakpoint
CREATE INDEX `one_time_codes_of_address` ON `one_time_codes` (`audience`,`address_digest`,`issued_at`);--> statement-breakpoint
CREATE INDEX `one_time_codes_by_age` ON `one_time_codes` (`issued_at`) WHERE redeemed_address_digest is null;