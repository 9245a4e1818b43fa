ALTER TABLE `idempotency_keys` ADD `content_digest` text;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `subject_ids` text;--> statement-breakpoint
CREATE INDEX `idempotency_about_persons` ON `idempotency_keys` (`business_id`) WHERE subject_ids is not null;