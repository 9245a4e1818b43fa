-- drizzle-kit knows no WITHOUT ROWID: a row and its key are one here, and not two.
DROP TABLE `product_facets`;
--> statement-breakpoint
CREATE TABLE `product_facets` (
	`product_id` text NOT NULL,
	`facet` text NOT NULL,
	`business_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`price_minor` integer NOT NULL,
	PRIMARY KEY(`product_id`, `facet`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `product_facets_newest` ON `product_facets` (`business_id`,`facet`,`created_at`,`product_id`);
--> statement-breakpoint
CREATE INDEX `product_facets_by_price` ON `product_facets` (`business_id`,`facet`,`price_minor`,`product_id`);
--> statement-breakpoint
DROP TABLE `product_facet_counts`;
--> statement-breakpoint
CREATE TABLE `product_facet_counts` (
	`business_id` text NOT NULL,
	`facet` text NOT NULL,
	`products` integer NOT NULL,
	PRIMARY KEY(`business_id`, `facet`)
) WITHOUT ROWID;
--> statement-breakpoint
-- What keeps `product_facets` in step: the views say which facets a product has to stand under, two
-- triggers make it so, and the others call them when something changed that the views read. A
-- migration that rebuilds `products`, `product_variants` or `stock_levels` drops their triggers and
-- must bring them back. How a facet is named is said in shared/catalogue/listing/facets.ts as well.
CREATE VIEW `product_stock_places` AS
	SELECT `product`.`id` AS `product_id`, `level`.`location_id` AS `location_id`
	FROM `products` AS `product`
	JOIN `stock_levels` AS `level` INDEXED BY `stock_levels_by_product`
		ON `level`.`business_id` = `product`.`business_id` AND `level`.`product_id` = `product`.`id`
	WHERE `level`.`quantity_on_hand` > `level`.`quantity_reserved`
		AND (`product`.`inventory_type` = 'tracked' AND `level`.`item_id` = `product`.`id`
			OR `product`.`inventory_type` = 'variant_level' AND EXISTS (
				SELECT 1 FROM `product_variants` AS `variant`
				WHERE `variant`.`id` = `level`.`item_id` AND `variant`.`product_id` = `product`.`id`
					AND `variant`.`is_active` AND `variant`.`archived_at` IS NULL));
--> statement-breakpoint
CREATE VIEW `product_stock_facets_due` AS
	SELECT `product`.`id` AS `product_id`, `facet`.`value` AS `facet`
	FROM `products` AS `product`, json_each(iif(`product`.`inventory_type` = 'none', '["stock uncounted"]', (
		SELECT json_array('stock places ' || json_group_array(`place`.`location_id`),
			iif(count(*) > 0, 'stock somewhere', NULL))
		FROM (SELECT DISTINCT `location_id` FROM `product_stock_places`
			WHERE `product_id` = `product`.`id` ORDER BY 1) AS `place`))) AS `facet`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL AND `facet`.`value` IS NOT NULL
	UNION ALL
	SELECT `product`.`id`, 'stock at ' || `place`.`location_id`
	FROM `products` AS `product`
	JOIN `product_stock_places` AS `place` ON `place`.`product_id` = `product`.`id`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL;
--> statement-breakpoint
CREATE VIEW `product_facets_due` AS
	SELECT `product`.`id` AS `product_id`, `facet`.`value` AS `facet`,
		`product`.`default_price_minor` AS `price_minor`
	FROM `products` AS `product`, json_each(json_array(
		iif(`product`.`is_featured`, 'featured', NULL),
		'category ' || `product`.`category_id`,
		'taxonomy ' || `product`.`taxonomy_id`,
		'price places ' || (SELECT json_group_array(`own`.`location_id`) FROM (
			SELECT DISTINCT `price`.`value` ->> '$.locationId' AS `location_id`
			FROM json_each(`product`.`price_overrides`) AS `price`
			WHERE `price`.`value` ->> '$.variantId' IS NULL ORDER BY 1) AS `own`))) AS `facet`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL AND `facet`.`value` IS NOT NULL
	UNION ALL
	SELECT `product`.`id`, 'price at ' || (`price`.`value` ->> '$.locationId'), `price`.`value` ->> '$.priceMinor'
	FROM `products` AS `product`, json_each(`product`.`price_overrides`) AS `price`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL
		AND `price`.`value` ->> '$.variantId' IS NULL
	UNION ALL
	SELECT `product`.`id`, 'tag ' || `tag`.`value`, `product`.`default_price_minor`
	FROM `products` AS `product`, json_each(`product`.`tags`) AS `tag`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL
	UNION ALL
	-- What is longer cannot be asked for. A number is written out, as json_array rounds it.
	SELECT `product`.`id`, 'property ' || json_array(`held`.`key`, CASE `has`.`type`
		WHEN 'true' THEN json('true') WHEN 'false' THEN json('false')
		WHEN 'real' THEN json(printf('%!.17g', `has`.`value`)) ELSE `has`.`value` END),
		`product`.`default_price_minor`
	FROM `products` AS `product`, json_each(`product`.`properties`) AS `held`, json_each(
		CASE `held`.`type` WHEN 'array' THEN `held`.`value` WHEN 'true' THEN '[true]'
			WHEN 'false' THEN '[false]' WHEN 'object' THEN '[]'
			WHEN 'real' THEN '[' || printf('%!.17g', `held`.`value`) || ']'
			ELSE json_array(`held`.`value`) END) AS `has`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL
		AND length(`held`.`key`) <= 100 AND length(`has`.`value`) <= 500
		AND `has`.`type` NOT IN ('array', 'object', 'null')
	UNION ALL
	SELECT `stock`.`product_id`, `stock`.`facet`,
		(SELECT `default_price_minor` FROM `products` WHERE `id` = `stock`.`product_id`)
	FROM `product_stock_facets_due` AS `stock`;
--> statement-breakpoint
INSERT INTO `product_facets` (`product_id`, `facet`, `business_id`, `created_at`, `price_minor`)
	SELECT `product`.`id`, `due`.`facet`, `product`.`business_id`, `product`.`created_at`, min(`due`.`price_minor`)
	FROM `products` AS `product` JOIN `product_facets_due` AS `due` ON `due`.`product_id` = `product`.`id`
	GROUP BY `product`.`id`, `due`.`facet`;
--> statement-breakpoint
INSERT INTO `product_facet_counts` (`business_id`, `facet`, `products`)
	SELECT `business_id`, `facet`, count(*) FROM `product_facets` GROUP BY `business_id`, `facet`;
--> statement-breakpoint
CREATE TRIGGER `product_facets_counted` AFTER INSERT ON `product_facets` BEGIN
	INSERT INTO `product_facet_counts` (`business_id`, `facet`, `products`)
		VALUES (new.`business_id`, new.`facet`, 1)
		ON CONFLICT DO UPDATE SET `products` = `products` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_uncounted` AFTER DELETE ON `product_facets` BEGIN
	UPDATE `product_facet_counts` SET `products` = `products` - 1
		WHERE `business_id` = old.`business_id` AND `facet` = old.`facet`;
	DELETE FROM `product_facet_counts`
		WHERE `business_id` = old.`business_id` AND `facet` = old.`facet` AND `products` = 0;
END;
--> statement-breakpoint
-- Inserting a product's id here brings its facets up to date; only what differs is written.
CREATE TRIGGER `product_facets_refresh` INSTEAD OF INSERT ON `product_facets_due` BEGIN
	DELETE FROM `product_facets` WHERE `product_id` = new.`product_id`
		AND `facet` NOT IN (
			SELECT `due`.`facet` FROM `product_facets_due` AS `due` WHERE `due`.`product_id` = new.`product_id`);
	INSERT INTO `product_facets` (`product_id`, `facet`, `business_id`, `created_at`, `price_minor`)
		SELECT `product`.`id`, `due`.`facet`, `product`.`business_id`, `product`.`created_at`, min(`due`.`price_minor`)
		FROM `products` AS `product` JOIN `product_facets_due` AS `due`
		WHERE `product`.`id` = new.`product_id` AND `due`.`product_id` = new.`product_id`
		GROUP BY `due`.`facet`
		ON CONFLICT DO UPDATE SET `price_minor` = excluded.`price_minor`, `created_at` = excluded.`created_at`
			WHERE (`price_minor`, `created_at`) <> (excluded.`price_minor`, excluded.`created_at`);
END;
--> statement-breakpoint
-- The same for the facets of its stock alone.
CREATE TRIGGER `product_stock_facets_refresh` INSTEAD OF INSERT ON `product_stock_facets_due` BEGIN
	DELETE FROM `product_facets` WHERE `product_id` = new.`product_id`
		AND `facet` >= 'stock ' AND `facet` < 'stock!'
		AND `facet` NOT IN (
			SELECT `due`.`facet` FROM `product_stock_facets_due` AS `due` WHERE `due`.`product_id` = new.`product_id`);
	INSERT INTO `product_facets` (`product_id`, `facet`, `business_id`, `created_at`, `price_minor`)
		SELECT DISTINCT `product`.`id`, `due`.`facet`, `product`.`business_id`, `product`.`created_at`,
			`product`.`default_price_minor`
		FROM `products` AS `product` JOIN `product_stock_facets_due` AS `due`
		WHERE `product`.`id` = new.`product_id` AND `due`.`product_id` = new.`product_id`
		ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_new` AFTER INSERT ON `products`
WHEN new.`is_active` AND new.`archived_at` IS NULL BEGIN
	INSERT INTO `product_facets_due` (`product_id`) VALUES (new.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_changed` AFTER UPDATE OF `category_id`, `taxonomy_id`, `inventory_type`,
	`is_active`, `is_featured`, `tags`, `properties`, `price_overrides`, `archived_at` ON `products`
WHEN (old.`category_id`, old.`taxonomy_id`, old.`inventory_type`, old.`is_active`, old.`is_featured`,
		old.`tags`, old.`properties`, old.`price_overrides`, old.`archived_at`)
	IS NOT (new.`category_id`, new.`taxonomy_id`, new.`inventory_type`, new.`is_active`, new.`is_featured`,
		new.`tags`, new.`properties`, new.`price_overrides`, new.`archived_at`) BEGIN
	INSERT INTO `product_facets_due` (`product_id`) VALUES (new.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_priced` AFTER UPDATE OF `default_price_minor` ON `products`
WHEN old.`default_price_minor` <> new.`default_price_minor` BEGIN
	UPDATE `product_facets` SET `price_minor` = new.`default_price_minor`
		WHERE `product_id` = new.`id` AND `price_minor` <> new.`default_price_minor`
			AND NOT (`facet` >= 'price at ' AND `facet` < 'price at!');
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_dated` AFTER UPDATE OF `created_at` ON `products`
WHEN old.`created_at` <> new.`created_at` BEGIN
	UPDATE `product_facets` SET `created_at` = new.`created_at` WHERE `product_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_deleted` AFTER DELETE ON `products` BEGIN
	DELETE FROM `product_facets` WHERE `product_id` = old.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_variant` AFTER UPDATE OF `is_active`, `archived_at` ON `product_variants`
WHEN (old.`is_active` AND old.`archived_at` IS NULL) <> (new.`is_active` AND new.`archived_at` IS NULL) BEGIN
	INSERT INTO `product_stock_facets_due` (`product_id`) VALUES (new.`product_id`);
END;
--> statement-breakpoint
-- A further piece at a place where the product is had already changes nothing, nor does one that goes
-- while others stay: a product of thousands of variants is not looked through for each of them.
CREATE TRIGGER `product_facets_of_new_level` AFTER INSERT ON `stock_levels`
WHEN new.`quantity_on_hand` > new.`quantity_reserved` AND NOT EXISTS (
	SELECT 1 FROM `product_facets` AS `held`
	WHERE `held`.`product_id` = new.`product_id` AND `held`.`facet` = 'stock at ' || new.`location_id`) BEGIN
	INSERT INTO `product_stock_facets_due` (`product_id`) VALUES (new.`product_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_filled_level` AFTER UPDATE OF `quantity_on_hand`, `quantity_reserved` ON `stock_levels`
WHEN old.`quantity_on_hand` <= old.`quantity_reserved` AND new.`quantity_on_hand` > new.`quantity_reserved`
	AND NOT EXISTS (
		SELECT 1 FROM `product_facets` AS `held`
		WHERE `held`.`product_id` = new.`product_id` AND `held`.`facet` = 'stock at ' || new.`location_id`) BEGIN
	INSERT INTO `product_stock_facets_due` (`product_id`) VALUES (new.`product_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_emptied_level` AFTER UPDATE OF `quantity_on_hand`, `quantity_reserved` ON `stock_levels`
WHEN old.`quantity_on_hand` > old.`quantity_reserved` AND new.`quantity_on_hand` <= new.`quantity_reserved`
	AND NOT EXISTS (
		SELECT 1 FROM `product_stock_places` AS `place`
		WHERE `place`.`product_id` = new.`product_id` AND `place`.`location_id` = new.`location_id`) BEGIN
	INSERT INTO `product_stock_facets_due` (`product_id`) VALUES (new.`product_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_deleted_level` AFTER DELETE ON `stock_levels`
WHEN old.`quantity_on_hand` > old.`quantity_reserved` AND NOT EXISTS (
	SELECT 1 FROM `product_stock_places` AS `place`
	WHERE `place`.`product_id` = old.`product_id` AND `place`.`location_id` = old.`location_id`) BEGIN
	INSERT INTO `product_stock_facets_due` (`product_id`) VALUES (old.`product_id`);
END;
