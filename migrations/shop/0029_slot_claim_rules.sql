-- Which claims may not be (the table's words: shared/scheduling/tables.ts): a view says it of any
-- claim, and two triggers ask it of each that is written. A migration that rebuilds `slot_claims`
-- drops the triggers and these indexes, and must bring them back. What may overlap a claim began at
-- most the longest of its kind before: the indexes know how long that is, so that no check reads more
-- than the claims around. (drizzle-kit has no word for an index on an expression.)
CREATE INDEX `slot_claims_longest_of_service`
	ON `slot_claims` (`business_id`, `service_id`, `location_id`, `occupied_until` - `starts_at`);
--> statement-breakpoint
CREATE INDEX `slot_claims_longest_of_staff`
	ON `slot_claims` (`business_id`, `staff_id`, `occupied_until` - `starts_at`) WHERE `staff_id` IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `slot_claims_longest_of_resource`
	ON `slot_claim_resources` (`business_id`, `resource_id`, `occupied_until` - `starts_at`);
--> statement-breakpoint
CREATE VIEW `slot_claim_breaches` AS
	SELECT `claim`.`id` AS `claim_id`, 'slot_over_capacity' AS `breach`
	FROM `slot_claims` AS `claim`
	WHERE `claim`.`capacity` < (
		SELECT sum(`other`.`participants`)
		FROM `slot_claims` AS `other` INDEXED BY `slot_claims_by_service`
		WHERE `other`.`business_id` = `claim`.`business_id`
			AND `other`.`service_id` = `claim`.`service_id`
			AND `other`.`location_id` = `claim`.`location_id`
			AND `other`.`starts_at` > `claim`.`starts_at` - (
				SELECT `one`.`occupied_until` - `one`.`starts_at`
				FROM `slot_claims` AS `one` INDEXED BY `slot_claims_longest_of_service`
				WHERE `one`.`business_id` = `claim`.`business_id`
					AND `one`.`service_id` = `claim`.`service_id`
					AND `one`.`location_id` = `claim`.`location_id`
				ORDER BY `one`.`occupied_until` - `one`.`starts_at` DESC LIMIT 1)
			AND `other`.`starts_at` < `claim`.`occupied_until`
			AND `other`.`occupied_until` > `claim`.`starts_at`
			AND (`other`.`expires_at` IS NULL OR `other`.`expires_at` > `claim`.`claimed_at`))
	UNION ALL
	SELECT `claim`.`id`, 'slot_staff_taken'
	FROM `slot_claims` AS `claim`
	WHERE `claim`.`staff_id` IS NOT NULL AND EXISTS (
		SELECT 1
		FROM `slot_claims` AS `other` INDEXED BY `slot_claims_by_staff`
		WHERE `other`.`business_id` = `claim`.`business_id`
			AND `other`.`staff_id` = `claim`.`staff_id`
			AND `other`.`starts_at` > `claim`.`starts_at` - (
				SELECT `one`.`occupied_until` - `one`.`starts_at`
				FROM `slot_claims` AS `one` INDEXED BY `slot_claims_longest_of_staff`
				WHERE `one`.`business_id` = `claim`.`business_id` AND `one`.`staff_id` = `claim`.`staff_id`
				ORDER BY `one`.`occupied_until` - `one`.`starts_at` DESC LIMIT 1)
			AND `other`.`starts_at` < `claim`.`occupied_until`
			AND `other`.`occupied_until` > `claim`.`starts_at`
			AND (`other`.`expires_at` IS NULL OR `other`.`expires_at` > `claim`.`claimed_at`)
			AND (`other`.`service_id`, `other`.`location_id`, `other`.`starts_at`)
				<> (`claim`.`service_id`, `claim`.`location_id`, `claim`.`starts_at`))
	UNION ALL
	SELECT `claim`.`id`, 'slot_resource_taken'
	FROM `slot_claims` AS `claim`
	JOIN `slot_claim_resources` AS `own` ON `own`.`claim_id` = `claim`.`id`
	JOIN `resources` AS `resource` ON `resource`.`id` = `own`.`resource_id`
	WHERE `resource`.`capacity` < (
		SELECT sum(`other`.`participants`)
		FROM `slot_claim_resources` AS `other` INDEXED BY `slot_claims_by_resource`
		WHERE `other`.`business_id` = `own`.`business_id`
			AND `other`.`resource_id` = `own`.`resource_id`
			AND `other`.`starts_at` > `own`.`starts_at` - (
				SELECT `one`.`occupied_until` - `one`.`starts_at`
				FROM `slot_claim_resources` AS `one` INDEXED BY `slot_claims_longest_of_resource`
				WHERE `one`.`business_id` = `own`.`business_id` AND `one`.`resource_id` = `own`.`resource_id`
				ORDER BY `one`.`occupied_until` - `one`.`starts_at` DESC LIMIT 1)
			AND `other`.`starts_at` < `own`.`occupied_until`
			AND `other`.`occupied_until` > `own`.`starts_at`
			AND (`other`.`expires_at` IS NULL OR `other`.`expires_at` > `claim`.`claimed_at`));
--> statement-breakpoint
CREATE TRIGGER `slot_claims_checked` AFTER INSERT ON `slot_claims` BEGIN
	INSERT INTO `slot_claim_resources` (`claim_id`, `resource_id`, `business_id`, `participants`,
			`starts_at`, `occupied_until`, `expires_at`)
		SELECT DISTINCT new.`id`, `named`.`value`, new.`business_id`, new.`participants`,
			new.`starts_at`, new.`occupied_until`, new.`expires_at`
		FROM json_each(new.`resource_ids`) AS `named`;
	SELECT CASE `breach`
		WHEN 'slot_over_capacity' THEN RAISE(ABORT, 'constraint failed: slot_over_capacity')
		WHEN 'slot_staff_taken' THEN RAISE(ABORT, 'constraint failed: slot_staff_taken')
		ELSE RAISE(ABORT, 'constraint failed: slot_resource_taken') END
		FROM `slot_claim_breaches` WHERE `claim_id` = new.`id`;
END;
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
		FROM `slot_claim_breaches` WHERE `claim_id` = new.`id`;
END;
