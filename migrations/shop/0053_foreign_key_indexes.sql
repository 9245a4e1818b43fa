DROP INDEX `products_by_category`;--> statement-breakpoint
CREATE INDEX `products_by_category` ON `products` (`category_id`,`business_id`) WHERE category_id is not null;--> statement-breakpoint
DROP INDEX `bookings_by_service`;--> statement-breakpoint
CREATE INDEX `bookings_by_staff` ON `bookings` (`staff_id`) WHERE staff_id is not null;--> statement-breakpoint
CREATE INDEX `bookings_by_service` ON `bookings` (`service_id`,`business_id`,`start_time`,`id`);--> statement-breakpoint
DROP INDEX `slot_claims_by_resource`;--> statement-breakpoint
CREATE INDEX `slot_claims_by_resource` ON `slot_claim_resources` (`resource_id`,`business_id`,`starts_at`,`occupied_until`,`expires_at`,`participants`);--> statement-breakpoint
DROP INDEX `slot_claims_by_service`;--> statement-breakpoint
DROP INDEX `slot_claims_by_staff`;--> statement-breakpoint
CREATE INDEX `slot_claims_by_service` ON `slot_claims` (`service_id`,`business_id`,`location_id`,`starts_at`,`occupied_until`,`expires_at`,`participants`);--> statement-breakpoint
CREATE INDEX `slot_claims_by_staff` ON `slot_claims` (`staff_id`,`business_id`,`starts_at`,`occupied_until`,`expires_at`,`participants`,`service_id`,`location_id`) WHERE staff_id is not null;--> statement-breakpoint
CREATE INDEX `attributes_ever_of_category` ON `attributes` (`category_id`) WHERE category_id is not null;--> statement-breakpoint
CREATE INDEX `attributes_ever_of_collection` ON `attributes` (`collection_id`) WHERE collection_id is not null;