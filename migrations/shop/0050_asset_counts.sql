CREATE TABLE `asset_counts` (
	`business_id` text NOT NULL,
	`scope` text NOT NULL,
	`content_type` text NOT NULL,
	`assets` integer NOT NULL,
	PRIMARY KEY(`business_id`, `scope`, `content_type`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `assets_newest`;--> statement-breakpoint
DROP INDEX `assets_in_folder`;--> statement-breakpoint
CREATE INDEX `assets_of_type` ON `uploads` (`business_id`,lower(content_type),`created_at`,`id`) WHERE visibility = 'public' and confirmed_at is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `assets_of_type_in_folder` ON `uploads` (`business_id`,`folder_path`,lower(content_type),`created_at`,`id`) WHERE visibility = 'public' and confirmed_at is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `assets_newest` ON `uploads` (`business_id`,`created_at`,`id`) WHERE visibility = 'public' and confirmed_at is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `assets_in_folder` ON `uploads` (`business_id`,`folder_path`,`created_at`,`id`) WHERE visibility = 'public' and confirmed_at is not null and deleted_at is null;
--> statement-breakpoint
-- What keeps `asset_counts` in step. A migration that rebuilds `uploads` drops these triggers, and must
-- bring them back.
CREATE TRIGGER `assets_counted` AFTER INSERT ON `uploads`
WHEN new.`visibility` = 'public' AND new.`confirmed_at` IS NOT NULL AND new.`deleted_at` IS NULL BEGIN
	INSERT INTO `asset_counts` (`business_id`, `scope`, `content_type`, `assets`)
		VALUES (new.`business_id`, '', lower(new.`content_type`), 1),
			(new.`business_id`, '/' || new.`folder_path`, lower(new.`content_type`), 1)
		ON CONFLICT DO UPDATE SET `assets` = `assets` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `assets_counted_changed` AFTER UPDATE OF `business_id`, `visibility`, `folder_path`, `content_type`, `confirmed_at`, `deleted_at` ON `uploads`
WHEN new.`visibility` = 'public' AND new.`confirmed_at` IS NOT NULL AND new.`deleted_at` IS NULL BEGIN
	INSERT INTO `asset_counts` (`business_id`, `scope`, `content_type`, `assets`)
		VALUES (new.`business_id`, '', lower(new.`content_type`), 1),
			(new.`business_id`, '/' || new.`folder_path`, lower(new.`content_type`), 1)
		ON CONFLICT DO UPDATE SET `assets` = `assets` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `assets_uncounted_changed` AFTER UPDATE OF `business_id`, `visibility`, `folder_path`, `content_type`, `confirmed_at`, `deleted_at` ON `uploads`
WHEN old.`visibility` = 'public' AND old.`confirmed_at` IS NOT NULL AND old.`deleted_at` IS NULL BEGIN
	UPDATE `asset_counts` SET `assets` = `assets` - 1
		WHERE `business_id` = old.`business_id` AND `scope` IN ('', '/' || old.`folder_path`)
			AND `content_type` = lower(old.`content_type`);
	DELETE FROM `asset_counts`
		WHERE `business_id` = old.`business_id` AND `scope` IN ('', '/' || old.`folder_path`)
			AND `content_type` = lower(old.`content_type`) AND `assets` = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `assets_uncounted` AFTER DELETE ON `uploads`
WHEN old.`visibility` = 'public' AND old.`confirmed_at` IS NOT NULL AND old.`deleted_at` IS NULL BEGIN
	UPDATE `asset_counts` SET `assets` = `assets` - 1
		WHERE `business_id` = old.`business_id` AND `scope` IN ('', '/' || old.`folder_path`)
			AND `content_type` = lower(old.`content_type`);
	DELETE FROM `asset_counts`
		WHERE `business_id` = old.`business_id` AND `scope` IN ('', '/' || old.`folder_path`)
			AND `content_type` = lower(old.`content_type`) AND `assets` = 0;
END;
--> statement-breakpoint
-- Whatever the triggers counted by now is among what stands here.
INSERT INTO `asset_counts` (`business_id`, `scope`, `content_type`, `assets`)
	SELECT `business_id`, '', lower(`content_type`), count(*) FROM `uploads`
	WHERE `visibility` = 'public' AND `confirmed_at` IS NOT NULL AND `deleted_at` IS NULL
	GROUP BY `business_id`, lower(`content_type`)
	ON CONFLICT DO UPDATE SET `assets` = excluded.`assets`;
--> statement-breakpoint
INSERT INTO `asset_counts` (`business_id`, `scope`, `content_type`, `assets`)
	SELECT `business_id`, '/' || `folder_path`, lower(`content_type`), count(*) FROM `uploads`
	WHERE `visibility` = 'public' AND `confirmed_at` IS NOT NULL AND `deleted_at` IS NULL
	GROUP BY `business_id`, `folder_path`, lower(`content_type`)
	ON CONFLICT DO UPDATE SET `assets` = excluded.`assets`;
