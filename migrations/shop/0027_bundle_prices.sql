CREATE TABLE `bundle_parts` (
	`product_id` text NOT NULL,
	`bundle_id` text NOT NULL,
	PRIMARY KEY(`product_id`, `bundle_id`)
);
--> statement-breakpoint
CREATE INDEX `bundle_parts_by_bundle` ON `bundle_parts` (`bundle_id`);
--> statement-breakpoint
INSERT OR IGNORE INTO `bundle_parts` (`product_id`, `bundle_id`)
	SELECT `part`.`value` ->> '$.productId', `bundle`.`id`
	FROM `bundles` AS `bundle`, json_each(`bundle`.`components`) AS `part`;
--> statement-breakpoint
CREATE TRIGGER `bundle_parts_of_new` AFTER INSERT ON `bundles` BEGIN
	INSERT OR IGNORE INTO `bundle_parts` (`product_id`, `bundle_id`)
		SELECT `part`.`value` ->> '$.productId', new.`id` FROM json_each(new.`components`) AS `part`;
END;
--> statement-breakpoint
CREATE TRIGGER `bundle_parts_of_changed` AFTER UPDATE OF `components` ON `bundles`
WHEN old.`components` <> new.`components` BEGIN
	DELETE FROM `bundle_parts` WHERE `bundle_id` = new.`id`;
	INSERT OR IGNORE INTO `bundle_parts` (`product_id`, `bundle_id`)
		SELECT `part`.`value` ->> '$.productId', new.`id` FROM json_each(new.`components`) AS `part`;
END;
--> statement-breakpoint
CREATE TRIGGER `bundle_parts_of_deleted` AFTER DELETE ON `bundles` BEGIN
	DELETE FROM `bundle_parts` WHERE `bundle_id` = old.`id`;
END;
--> statement-breakpoint
-- What the standard parts of a percent_off or amount_off bundle come to: nowhere in particular, and at
-- each location that prices one of them. shared/pricing/bundle.ts says the same of a cart's line.
CREATE VIEW `bundle_sums` AS
	SELECT `bundle`.`product_id` AS `product_id`, `place`.`value` AS `location_id`,
		`bundle`.`pricing` AS `pricing`, max(0, (
			SELECT coalesce(sum(`piece`.`quantity` * coalesce(
				(SELECT `price`.`value` ->> '$.priceMinor' FROM json_each(`product`.`price_overrides`) AS `price`
					WHERE `price`.`value` ->> '$.locationId' = `place`.`value`
						AND `price`.`value` ->> '$.variantId' = `variant`.`id`),
				coalesce(
					(SELECT `price`.`value` ->> '$.priceMinor' FROM json_each(`product`.`price_overrides`) AS `price`
						WHERE `price`.`value` ->> '$.locationId' = `place`.`value`
							AND `price`.`value` ->> '$.variantId' IS NULL),
					`product`.`default_price_minor`) + coalesce(`variant`.`price_adjustment_minor`, 0))), 0)
			FROM (
				SELECT `part`.`value` ->> '$.quantity' AS `quantity`, `part`.`value` ->> '$.productId' AS `product_id`, coalesce(
					(SELECT `own`.`id` FROM `product_variants` AS `own`
						WHERE `own`.`id` = `part`.`value` ->> '$.defaultVariantId'
							AND `own`.`product_id` = `part`.`value` ->> '$.productId' AND `own`.`archived_at` IS NULL),
					(SELECT `own`.`id` FROM `product_variants` AS `own`
						WHERE `own`.`product_id` = `part`.`value` ->> '$.productId' AND `own`.`archived_at` IS NULL
							AND `own`.`is_active`
						ORDER BY `own`.`is_default` DESC, `own`.`position` LIMIT 1)) AS `variant_id`
				FROM json_each(`bundle`.`components`) AS `part`) AS `piece`
			JOIN `products` AS `product` ON `product`.`id` = `piece`.`product_id` AND `product`.`archived_at` IS NULL
			LEFT JOIN `product_variants` AS `variant` ON `variant`.`id` = `piece`.`variant_id`)) AS `sum_minor`
	FROM `bundles` AS `bundle`, json_each((
		SELECT json_group_array(`location_id`) FROM (
			SELECT NULL AS `location_id`
			UNION
			SELECT `price`.`value` ->> '$.locationId'
			FROM json_each(`bundle`.`components`) AS `part`
			JOIN `products` AS `product` ON `product`.`id` = `part`.`value` ->> '$.productId'
				AND `product`.`archived_at` IS NULL,
				json_each(`product`.`price_overrides`) AS `price`))) AS `place`
	WHERE `bundle`.`pricing` ->> '$.type' <> 'fixed';
--> statement-breakpoint
-- The percentage in ten-thousandths, and its part of the sum in two, so that no number grows past an
-- integer: of the sum's whole millions it is a whole number.
CREATE VIEW `bundle_percents` AS
	SELECT `product_id`, `location_id`, `sum_minor`,
		`sum_minor` / 1000000 * `percent` + `sum_minor` % 1000000 * `percent` / 1000000 AS `off_minor`,
		`sum_minor` % 1000000 * `percent` % 1000000 AS `rest`
	FROM (SELECT `product_id`, `location_id`, `sum_minor`,
		CAST(`pricing` ->> '$.percent' AS INTEGER) * 10000 + iif(instr(`pricing` ->> '$.percent', '.'),
			CAST(substr(substr(`pricing` ->> '$.percent', instr(`pricing` ->> '$.percent', '.') + 1)
				|| '0000', 1, 4) AS INTEGER), 0) AS `percent`
		FROM `bundle_sums` WHERE `pricing` ->> '$.type' = 'percent_off');
--> statement-breakpoint
-- What a bundle costs whose price follows from its parts, half to even (completions.md 5); at most what
-- can be charged.
CREATE VIEW `bundle_prices` AS
	SELECT `product_id`, `location_id`,
		min(9999999999999, max(0, `sum_minor` - `off_minor`
			- (`rest` > 500000 OR `rest` = 500000 AND `off_minor` % 2 = 1))) AS `price_minor`
	FROM `bundle_percents`
	UNION ALL
	SELECT `product_id`, `location_id`,
		min(9999999999999, max(0, `sum_minor` - (`pricing` ->> '$.amountMinor')))
	FROM `bundle_sums` WHERE `pricing` ->> '$.type' = 'amount_off';
--> statement-breakpoint
UPDATE `products` SET
	`default_price_minor` = (SELECT `price_minor` FROM `bundle_prices` AS `price`
		WHERE `price`.`product_id` = `products`.`id` AND `price`.`location_id` IS NULL),
	`price_overrides` = (SELECT json_group_array(json_object('locationId', `location_id`,
		'variantId', NULL, 'priceMinor', `price_minor`)) FROM `bundle_prices` AS `price`
		WHERE `price`.`product_id` = `products`.`id` AND `price`.`location_id` IS NOT NULL)
	WHERE `id` IN (SELECT `product_id` FROM `bundles` WHERE `pricing` ->> '$.type' <> 'fixed');
