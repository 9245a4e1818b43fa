-- occupied_ranges holds the participants of all slot claims with the same service, location, start, end and
-- expiry; expires_at is 0 for bookings. The slots of a service are read from it, and it has no more rows for
-- ten thousand bookings than for one booking of each slot. The triggers add and subtract in the transaction that
-- writes the claim, and delete a row that reaches zero. They check nothing: slot_claim_breaches reads the claims
-- themselves. A migration that rebuilds slot_claims drops these triggers and has to create them again.
--
-- The table is WITHOUT ROWID, for which drizzle-kit has no option.
CREATE TABLE `occupied_ranges` (
	`business_id` text NOT NULL,
	`service_id` text NOT NULL,
	`location_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`occupied_until` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`participants` integer NOT NULL,
	PRIMARY KEY(`business_id`, `service_id`, `location_id`, `starts_at`, `occupied_until`, `expires_at`),
	CONSTRAINT "occupied_ranges_participants" CHECK(participants > 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `slot_claims_counted` AFTER INSERT ON `slot_claims` BEGIN
	INSERT INTO `occupied_ranges` (`business_id`, `service_id`, `location_id`, `starts_at`, `occupied_until`,
			`expires_at`, `participants`)
		VALUES (new.`business_id`, new.`service_id`, new.`location_id`, new.`starts_at`, new.`occupied_until`,
			ifnull(new.`expires_at`, 0), new.`participants`)
		ON CONFLICT DO UPDATE SET `participants` = `participants` + excluded.`participants`;
END;
--> statement-breakpoint
CREATE TRIGGER `slot_claims_counted_again` AFTER UPDATE ON `slot_claims`
WHEN (new.`business_id`, new.`service_id`, new.`location_id`, new.`starts_at`, new.`occupied_until`, new.`expires_at`, new.`participants`)
	IS NOT (old.`business_id`, old.`service_id`, old.`location_id`, old.`starts_at`, old.`occupied_until`, old.`expires_at`, old.`participants`) BEGIN
	DELETE FROM `occupied_ranges`
		WHERE `business_id` = old.`business_id` AND `service_id` = old.`service_id` AND `location_id` = old.`location_id`
			AND `starts_at` = old.`starts_at` AND `occupied_until` = old.`occupied_until`
			AND `expires_at` = ifnull(old.`expires_at`, 0) AND `participants` <= old.`participants`;
	UPDATE `occupied_ranges` SET `participants` = `participants` - old.`participants`
		WHERE `business_id` = old.`business_id` AND `service_id` = old.`service_id` AND `location_id` = old.`location_id`
			AND `starts_at` = old.`starts_at` AND `occupied_until` = old.`occupied_until`
			AND `expires_at` = ifnull(old.`expires_at`, 0);
	INSERT INTO `occupied_ranges` (`business_id`, `service_id`, `location_id`, `starts_at`, `occupied_until`,
			`expires_at`, `participants`)
		VALUES (new.`business_id`, new.`service_id`, new.`location_id`, new.`starts_at`, new.`occupied_until`,
			ifnull(new.`expires_at`, 0), new.`participants`)
		ON CONFLICT DO UPDATE SET `participants` = `participants` + excluded.`participants`;
END;
--> statement-breakpoint
CREATE TRIGGER `slot_claims_uncounted` AFTER DELETE ON `slot_claims` BEGIN
	DELETE FROM `occupied_ranges`
		WHERE `business_id` = old.`business_id` AND `service_id` = old.`service_id` AND `location_id` = old.`location_id`
			AND `starts_at` = old.`starts_at` AND `occupied_until` = old.`occupied_until`
			AND `expires_at` = ifnull(old.`expires_at`, 0) AND `participants` <= old.`participants`;
	UPDATE `occupied_ranges` SET `participants` = `participants` - old.`participants`
		WHERE `business_id` = old.`business_id` AND `service_id` = old.`service_id` AND `location_id` = old.`location_id`
			AND `starts_at` = old.`starts_at` AND `occupied_until` = old.`occupied_until`
			AND `expires_at` = ifnull(old.`expires_at`, 0);
END;
--> statement-breakpoint
-- Adds the existing claims. The triggers exist already, so that no claim is missed that is written meanwhile; the
-- sums replace what they counted.
INSERT OR REPLACE INTO `occupied_ranges` (`business_id`, `service_id`, `location_id`, `starts_at`, `occupied_until`,
		`expires_at`, `participants`)
	SELECT `business_id`, `service_id`, `location_id`, `starts_at`, `occupied_until`, ifnull(`expires_at`, 0),
		sum(`participants`)
	FROM `slot_claims`
	GROUP BY `business_id`, `service_id`, `location_id`, `starts_at`, `occupied_until`, ifnull(`expires_at`, 0);
