-- A slot claim is a hold or a booking that occupies time. The triggers reject a claim that exceeds the capacity
-- of its slot, or uses a staff member or a resource that is already taken. The check runs in the transaction
-- that writes the claim, so that two shoppers cannot take the last slot at the same time. The text of the error
-- names the rule: slot_over_capacity, slot_staff_taken or slot_resource_taken. shared/scheduling/tables.ts
-- describes the rules.
--
-- The triggers also copy the resources of a claim into slot_claim_resources. A migration that rebuilds
-- slot_claims drops the triggers and the indexes below and has to create them again.

-- A claim can only overlap claims that start within the length of the longest one before it. These indexes
-- find the longest claim, so that the checks read a short range of start times. They are written by hand
-- because drizzle-kit does not generate them.
CREATE INDEX `slot_claims_longest_of_service`
	ON `slot_claims` (`business_id`, `service_id`, `location_id`, `occupied_until` - `starts_at`);
--> statement-breakpoint
CREATE INDEX `slot_claims_longest_of_staff`
	ON `slot_claims` (`business_id`, `staff_id`, `occupied_until` - `starts_at`) WHERE `staff_id` IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `slot_claims_longest_of_resource`
	ON `slot_claim_resources` (`business_id`, `resource_id`, `occupied_until` - `starts_at`);
--> statement-breakpoint
-- The rules that a claim breaks, with a row for each. A claim that breaks none has no row.
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
				SELECT `longest`.`occupied_until` - `longest`.`starts_at`
				FROM `slot_claims` AS `longest` INDEXED BY `slot_claims_longest_of_service`
				WHERE `longest`.`business_id` = `claim`.`business_id`
					AND `longest`.`service_id` = `claim`.`service_id`
					AND `longest`.`location_id` = `claim`.`location_id`
				ORDER BY `longest`.`occupied_until` - `longest`.`starts_at` DESC LIMIT 1)
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
				SELECT `longest`.`occupied_until` - `longest`.`starts_at`
				FROM `slot_claims` AS `longest` INDEXED BY `slot_claims_longest_of_staff`
				WHERE `longest`.`business_id` = `claim`.`business_id` AND `longest`.`staff_id` = `claim`.`staff_id`
				ORDER BY `longest`.`occupied_until` - `longest`.`starts_at` DESC LIMIT 1)
			AND `other`.`starts_at` < `claim`.`occupied_until`
			AND `other`.`occupied_until` > `claim`.`starts_at`
			AND (`other`.`expires_at` IS NULL OR `other`.`expires_at` > `claim`.`claimed_at`)
			AND (`other`.`service_id`, `other`.`location_id`, `other`.`starts_at`)
				<> (`claim`.`service_id`, `claim`.`location_id`, `claim`.`starts_at`))
	UNION ALL
	SELECT `claim`.`id`, 'slot_resource_taken'
	FROM `slot_claims` AS `claim`
	JOIN `slot_claim_resources` AS `claim_resource` ON `claim_resource`.`claim_id` = `claim`.`id`
	JOIN `resources` AS `resource` ON `resource`.`id` = `claim_resource`.`resource_id`
	WHERE `resource`.`capacity` < (
		SELECT sum(`other`.`participants`)
		FROM `slot_claim_resources` AS `other` INDEXED BY `slot_claims_by_resource`
		WHERE `other`.`business_id` = `claim_resource`.`business_id`
			AND `other`.`resource_id` = `claim_resource`.`resource_id`
			AND `other`.`starts_at` > `claim_resource`.`starts_at` - (
				SELECT `longest`.`occupied_until` - `longest`.`starts_at`
				FROM `slot_claim_resources` AS `longest` INDEXED BY `slot_claims_longest_of_resource`
				WHERE `longest`.`business_id` = `claim_resource`.`business_id` AND `longest`.`resource_id` = `claim_resource`.`resource_id`
				ORDER BY `longest`.`occupied_until` - `longest`.`starts_at` DESC LIMIT 1)
			AND `other`.`starts_at` < `claim_resource`.`occupied_until`
			AND `other`.`occupied_until` > `claim_resource`.`starts_at`
			AND (`other`.`expires_at` IS NULL OR `other`.`expires_at` > `claim`.`claimed_at`));
--> statement-breakpoint
-- Checks a new claim. Claims that a shard move copies were checked in their old shard and are not checked
-- again. Only the move writes while the state of the fence is lifted.
CREATE TRIGGER `slot_claims_checked` AFTER INSERT ON `slot_claims` BEGIN
	INSERT INTO `slot_claim_resources` (`claim_id`, `resource_id`, `business_id`, `participants`,
			`starts_at`, `occupied_until`, `expires_at`)
		SELECT DISTINCT new.`id`, `resource`.`value`, new.`business_id`, new.`participants`,
			new.`starts_at`, new.`occupied_until`, new.`expires_at`
		FROM json_each(new.`resource_ids`) AS `resource`;
	SELECT CASE `breach`
		WHEN 'slot_over_capacity' THEN RAISE(ABORT, 'constraint failed: slot_over_capacity')
		WHEN 'slot_staff_taken' THEN RAISE(ABORT, 'constraint failed: slot_staff_taken')
		ELSE RAISE(ABORT, 'constraint failed: slot_resource_taken') END
		FROM `slot_claim_breaches` WHERE `claim_id` = new.`id` AND NOT EXISTS (
			SELECT 1 FROM `business_fences` WHERE `business_id` = new.`business_id` AND `state` = 'lifted');
END;
--> statement-breakpoint
-- Checks a changed claim. An update of a live claim that asks for no more than before succeeds, even when
-- later claims overlap it.
CREATE TRIGGER `slot_claims_checked_again` AFTER UPDATE ON `slot_claims` BEGIN
	DELETE FROM `slot_claim_resources` WHERE `claim_id` = old.`id`;
	INSERT INTO `slot_claim_resources` (`claim_id`, `resource_id`, `business_id`, `participants`,
			`starts_at`, `occupied_until`, `expires_at`)
		SELECT DISTINCT new.`id`, `resource`.`value`, new.`business_id`, new.`participants`,
			new.`starts_at`, new.`occupied_until`, new.`expires_at`
		FROM json_each(new.`resource_ids`) AS `resource`;
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
