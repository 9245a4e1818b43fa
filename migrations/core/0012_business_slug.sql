-- Businesses from before this migration get the end of their id as slug, which they can change.
ALTER TABLE `businesses` ADD `slug` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `businesses` SET `slug` = 'shop-' || lower(substr(`id`, -10));--> statement-breakpoint
CREATE UNIQUE INDEX `businesses_slug` ON `businesses` (`slug`) WHERE slug <> '';