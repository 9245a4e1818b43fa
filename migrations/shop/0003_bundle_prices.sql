-- bundle_parts lists the bundles that contain a product. When the price of a product changes, the service
-- looks up its bundles there and updates their displayed prices from the view bundle_prices. Three triggers
-- on bundles keep bundle_parts equal to their components. A migration that rebuilds bundles drops these
-- triggers and has to create them again.
--
-- The views compute the price of a bundle with a percentage or an amount off the sum of its parts.
-- shared/pricing computes the same price for a cart line.

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
-- The sum of the default parts of a bundle. location_id is null for the sum without a location. Each location
-- that has its own price for one of the parts has a row as well.
CREATE VIEW `bundle_sums` AS
	SELECT `bundle`.`product_id` AS `product_id`, `location`.`value` AS `location_id`,
		`bundle`.`pricing` AS `pricing`, max(0, (
			SELECT coalesce(sum(`component`.`quantity` * coalesce(
				(SELECT `price`.`value` ->> '$.priceMinor' FROM json_each(`product`.`price_overrides`) AS `price`
					WHERE `price`.`value` ->> '$.locationId' = `location`.`value`
						AND `price`.`value` ->> '$.variantId' = `variant`.`id`),
				coalesce(
					(SELECT `price`.`value` ->> '$.priceMinor' FROM json_each(`product`.`price_overrides`) AS `price`
						WHERE `price`.`value` ->> '$.locationId' = `location`.`value`
							AND `price`.`value` ->> '$.variantId' IS NULL),
					`product`.`default_price_minor`) + coalesce(`variant`.`price_adjustment_minor`, 0))), 0)
			FROM (
				SELECT `part`.`value` ->> '$.quantity' AS `quantity`, `part`.`value` ->> '$.productId' AS `product_id`, coalesce(
					(SELECT `candidate`.`id` FROM `product_variants` AS `candidate`
						WHERE `candidate`.`id` = `part`.`value` ->> '$.defaultVariantId'
							AND `candidate`.`product_id` = `part`.`value` ->> '$.productId' AND `candidate`.`archived_at` IS NULL),
					(SELECT `candidate`.`id` FROM `product_variants` AS `candidate`
						WHERE `candidate`.`product_id` = `part`.`value` ->> '$.productId' AND `candidate`.`archived_at` IS NULL
							AND `candidate`.`is_active`
						ORDER BY `candidate`.`is_default` DESC, `candidate`.`position` LIMIT 1)) AS `variant_id`
				FROM json_each(`bundle`.`components`) AS `part`) AS `component`
			JOIN `products` AS `product` ON `product`.`id` = `component`.`product_id` AND `product`.`archived_at` IS NULL
			LEFT JOIN `product_variants` AS `variant` ON `variant`.`id` = `component`.`variant_id`)) AS `sum_minor`
	FROM `bundles` AS `bundle`, json_each((
		SELECT json_group_array(`location_id`) FROM (
			SELECT NULL AS `location_id`
			UNION
			SELECT `price`.`value` ->> '$.locationId'
			FROM json_each(`bundle`.`components`) AS `part`
			JOIN `products` AS `product` ON `product`.`id` = `part`.`value` ->> '$.productId'
				AND `product`.`archived_at` IS NULL,
				json_each(`product`.`price_overrides`) AS `price`))) AS `location`
	WHERE `bundle`.`pricing` ->> '$.type' <> 'fixed';
--> statement-breakpoint
-- Multiplies the whole millions of the sum and the remainder by the percentage separately, so that no
-- intermediate number exceeds 64 bits. percent is in ten-thousandths of a percent.
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
-- The price of a bundle, at least 0 and at most the largest amount that can be charged. A percentage is
-- rounded half to even.
CREATE VIEW `bundle_prices` AS
	SELECT `product_id`, `location_id`,
		min(9999999999999, max(0, `sum_minor` - `off_minor`
			- (`rest` > 500000 OR `rest` = 500000 AND `off_minor` % 2 = 1))) AS `price_minor`
	FROM `bundle_percents`
	UNION ALL
	SELECT `product_id`, `location_id`,
		min(9999999999999, max(0, `sum_minor` - (`pricing` ->> '$.amountMinor')))
	FROM `bundle_sums` WHERE `pricing` ->> '$.type' = 'amount_off';
