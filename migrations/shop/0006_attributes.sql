CREATE TABLE `attributes` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`category_id` text,
	`collection_id` text,
	`key` text NOT NULL,
	`label` text NOT NULL,
	`type` text NOT NULL,
	`values` text NOT NULL,
	`unit` text,
	`is_filterable` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`category_id`) REFERENCES `categories`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "attributes_owner" CHECK((category_id is null) <> (collection_id is null)),
	CONSTRAINT "attributes_type" CHECK("attributes"."type" in ('text', 'number', 'boolean', 'select'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attributes_of_category` ON `attributes` (`category_id`,`key`) WHERE archived_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `attributes_of_collection` ON `attributes` (`collection_id`,`key`) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX `attributes_by_business` ON `attributes` (`business_id`,`id`);