ALTER TABLE `locations` ADD `offers_pickup` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `locations` ADD `pickup_instructions` text;