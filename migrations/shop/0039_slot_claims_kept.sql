-- What a live claim has it keeps: a write that asks for no more of it is not refused for those who came
-- to overlap it since, each within what was left then (shared/scheduling/tables.ts).
DROP TRIGGER `slot_claims_checked_again`;
--> statement-breakpoint
CREATE TRIGGER `slot_claims_checked_again` AFTER UPDATE ON `slot_claims` BEGIN
	DELETE FROM `slot_claim_resources` WHERE `claim_id` = old.`id`;
	INSERT INTO `slot_claim_resources` (`claim_id`, `resource_id`, `business_id`, `participants`,
			`starts_at`, `occupied_until`, `expires_at`)
		SELECT DISTINCT new.`id`, `named`.`value`, new.`business_id`, new.`participants`,
			new.`starts_at`, new.`occupied_until`, new.`expires_at`
		FROM json_each(new.`resource_ids`) AS `named`;
	SELECT CASE `breach`
		WHEN 'slot_over_capacity' THEN RAISE(ABORT, 'constraint failed: slot_over_capacity')
		WHEN 'slot_staff_taken' THEN RAISE(ABORT, 'constraint failed: slot_staff_taken')
		ELSE RAISE(ABORT, 'constraint failed: slot_resource_taken') END
		FROM `slot_claim_breaches` WHERE `claim_id` = new.`id` AND NOT (
			(old.`expires_at` IS NULL OR old.`expires_at` > new.`claimed_at`)
			AND new.`starts_at` >= old.`starts_at` AND new.`occupied_until` <= old.`occupied_until`
			AND CASE `breach`
				WHEN 'slot_over_capacity' THEN new.`service_id` = old.`service_id` AND new.`location_id` = old.`location_id`
					AND new.`participants` <= old.`participants` AND new.`capacity` >= old.`capacity`
				WHEN 'slot_staff_taken' THEN new.`staff_id` IS old.`staff_id` AND new.`service_id` = old.`service_id`
					AND new.`location_id` = old.`location_id` AND new.`starts_at` = old.`starts_at`
				ELSE new.`resource_ids` = old.`resource_ids` AND new.`participants` <= old.`participants` END);
END;
