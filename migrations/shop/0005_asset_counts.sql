-- asset_counts holds the number of published files of each content type, for a business (scope '') and for
-- each of its folders (scope '/' and the folder path). A list of files shows its total without counting rows.
-- The triggers add and subtract in the transaction that publishes, moves or deletes a file, and delete a count
-- that reaches zero. A migration that rebuilds uploads drops these triggers and has to create them again.

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
