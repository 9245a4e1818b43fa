CREATE TABLE `business_moves` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`from_shard` text NOT NULL,
	`to_shard` text NOT NULL,
	`phase` text NOT NULL,
	`position` text NOT NULL,
	`rows_copied` integer NOT NULL,
	`version` integer NOT NULL,
	`started_at` integer NOT NULL,
	`flipped_at` integer,
	`ended_at` integer,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "business_moves_phase" CHECK("business_moves"."phase" in ('fencing', 'clearing', 'copying', 'checking', 'counting', 'flipping', 'opening', 'cleaning', 'undoing', 'done', 'called_off'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `business_moves_one_open` ON `business_moves` (`business_id`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `business_moves_by_business` ON `business_moves` (`business_id`,`id`);