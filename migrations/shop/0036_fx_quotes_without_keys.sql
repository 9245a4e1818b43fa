DROP INDEX `fx_quotes_by_key`;--> statement-breakpoint
ALTER TABLE `fx_quotes` DROP COLUMN `caller`;--> statement-breakpoint
ALTER TABLE `fx_quotes` DROP COLUMN `idempotency_key`;