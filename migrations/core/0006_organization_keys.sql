DROP INDEX `api_keys_by_business`;--> statement-breakpoint
DROP INDEX `api_keys_by_organization`;--> statement-breakpoint
CREATE INDEX `api_keys_of_business` ON `api_keys` (`business_id`,`id`) WHERE business_id is not null;--> statement-breakpoint
CREATE INDEX `api_keys_of_organization` ON `api_keys` (`organization_id`,`id`) WHERE organization_id is not null;