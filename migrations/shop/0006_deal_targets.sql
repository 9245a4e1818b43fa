-- deal_targets lists the categories and collections that a deal applies to, for deals that are active and not
-- used up. Pricing finds the deals of a product there through an index, without reading every deal of the
-- business. The view computes the rows that the table should have, and the triggers on deals copy them. A deal
-- without an end has the last instant that JavaScript can represent as ends_at.
--
-- A migration that rebuilds deals has to drop the view first, and to create the view and the triggers again.

CREATE VIEW `deal_targets_due` AS
	SELECT `deal`.`business_id`, `deal`.`scope`, `target`.`value` AS `target_id`,
		coalesce(`deal`.`ends_at`, 8640000000000000) AS `ends_at`, `deal`.`id` AS `deal_id`, `deal`.`starts_at`
	FROM `deals` AS `deal` CROSS JOIN json_each(`deal`.`scope_ids`) AS `target`
	WHERE `deal`.`scope` IN ('category', 'collection')
		AND `deal`.`is_active` AND `deal`.`archived_at` IS NULL
		AND coalesce(`deal`.`times_redeemed` < `deal`.`usage_limit`, 1);
--> statement-breakpoint
CREATE TRIGGER `deal_targets_of_new` AFTER INSERT ON `deals`
WHEN new.`scope` IN ('category', 'collection') BEGIN
	INSERT INTO `deal_targets` (`business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at`)
		SELECT DISTINCT `business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at`
		FROM `deal_targets_due` WHERE `deal_id` = new.`id`;
END;
--> statement-breakpoint
-- Redeeming a deal changes its rows only when the last use is taken or returned.
CREATE TRIGGER `deal_targets_of_changed` AFTER UPDATE OF `business_id`, `scope`, `scope_ids`, `starts_at`, `ends_at`,
	`usage_limit`, `times_redeemed`, `is_active`, `archived_at` ON `deals`
WHEN (old.`business_id`, old.`scope`, old.`scope_ids`, old.`starts_at`, old.`ends_at`, old.`is_active`,
		old.`archived_at`, coalesce(old.`times_redeemed` < old.`usage_limit`, 1))
	IS NOT (new.`business_id`, new.`scope`, new.`scope_ids`, new.`starts_at`, new.`ends_at`, new.`is_active`,
		new.`archived_at`, coalesce(new.`times_redeemed` < new.`usage_limit`, 1)) BEGIN
	DELETE FROM `deal_targets`
		WHERE `business_id` = old.`business_id` AND `scope` = old.`scope`
			AND `target_id` IN (SELECT `value` FROM json_each(old.`scope_ids`))
			AND `ends_at` = coalesce(old.`ends_at`, 8640000000000000) AND `deal_id` = old.`id`;
	INSERT INTO `deal_targets` (`business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at`)
		SELECT DISTINCT `business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at`
		FROM `deal_targets_due` WHERE `deal_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `deal_targets_of_deleted` AFTER DELETE ON `deals` BEGIN
	DELETE FROM `deal_targets`
		WHERE `business_id` = old.`business_id` AND `scope` = old.`scope`
			AND `target_id` IN (SELECT `value` FROM json_each(old.`scope_ids`))
			AND `ends_at` = coalesce(old.`ends_at`, 8640000000000000) AND `deal_id` = old.`id`;
END;
