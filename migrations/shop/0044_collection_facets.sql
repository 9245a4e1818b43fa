-- The products of a rule of several tags stand under a facet of the collection, which is counted as
-- any other: how many they are is not found out by looking at each. A rule of one tag has the tag's.
CREATE INDEX `collections_by_first_tag` ON `collections` (`business_id`, `rule` ->> '$.tags[0]')
	WHERE archived_at IS NULL AND json_array_length(rule, '$.tags') > 1;
--> statement-breakpoint
-- The view as it was, and the rules; its trigger goes with it.
DROP VIEW `product_facets_due`;
--> statement-breakpoint
-- What stands under tags and rules; a view of its own, as D1 takes five terms of a union.
CREATE VIEW `product_tag_facets_due` AS
	SELECT `product`.`id` AS `product_id`, 'tag ' || `tag`.`value` AS `facet`,
		`product`.`default_price_minor` AS `price_minor`
	FROM `products` AS `product`, json_each(`product`.`tags`) AS `tag`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL
	UNION ALL
	SELECT `product`.`id`, 'collection ' || `ruled`.`id`, `product`.`default_price_minor`
	FROM `products` AS `product` CROSS JOIN json_each(`product`.`tags`) AS `tag`
	CROSS JOIN `collections` AS `ruled` INDEXED BY `collections_by_first_tag`
		ON `ruled`.`business_id` = `product`.`business_id`
		AND `ruled`.`rule` ->> '$.tags[0]' = `tag`.`value`
		AND `ruled`.`archived_at` IS NULL AND json_array_length(`ruled`.`rule`, '$.tags') > 1
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL AND NOT EXISTS (
		SELECT 1 FROM json_each(`ruled`.`rule`, '$.tags') AS `want`
		WHERE `want`.`value` NOT IN (SELECT `has`.`value` FROM json_each(`product`.`tags`) AS `has`));
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
	SELECT `tagged`.`product_id`, `tagged`.`facet`, `tagged`.`price_minor`
	FROM `product_tag_facets_due` AS `tagged`
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
INSERT INTO `product_facets` (`product_id`, `facet`, `business_id`, `created_at`, `price_minor`)
	SELECT `listed`.`product_id`, 'collection ' || `ruled`.`id`, `listed`.`business_id`, `listed`.`created_at`, `listed`.`price_minor`
	FROM `collections` AS `ruled` CROSS JOIN `product_facets` AS `listed` INDEXED BY `product_facets_newest`
	WHERE `ruled`.`archived_at` IS NULL AND json_array_length(`ruled`.`rule`, '$.tags') > 1
		AND `listed`.`business_id` = `ruled`.`business_id` AND `listed`.`facet` = (
		SELECT 'tag ' || `want`.`value` FROM json_each(`ruled`.`rule`, '$.tags') AS `want`
		LEFT JOIN `product_facet_counts` AS `counted`
			ON `counted`.`business_id` = `ruled`.`business_id` AND `counted`.`facet` = 'tag ' || `want`.`value`
		ORDER BY coalesce(`counted`.`products`, 0) LIMIT 1)
	AND NOT EXISTS (
		SELECT 1 FROM json_each(`ruled`.`rule`, '$.tags') AS `want` WHERE NOT EXISTS (
			SELECT 1 FROM `product_facets` AS `held`
			WHERE `held`.`product_id` = `listed`.`product_id` AND `held`.`facet` = 'tag ' || `want`.`value`));
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_new_rule` AFTER INSERT ON `collections`
WHEN new.`archived_at` IS NULL AND json_array_length(new.`rule`, '$.tags') > 1 BEGIN
	INSERT INTO `product_facets` (`product_id`, `facet`, `business_id`, `created_at`, `price_minor`)
		SELECT `listed`.`product_id`, 'collection ' || new.`id`, `listed`.`business_id`, `listed`.`created_at`, `listed`.`price_minor`
		FROM `product_facets` AS `listed` INDEXED BY `product_facets_newest`
		WHERE `listed`.`business_id` = new.`business_id` AND `listed`.`facet` = (
			SELECT 'tag ' || `want`.`value` FROM json_each(new.`rule`, '$.tags') AS `want`
			LEFT JOIN `product_facet_counts` AS `counted`
				ON `counted`.`business_id` = new.`business_id` AND `counted`.`facet` = 'tag ' || `want`.`value`
			ORDER BY coalesce(`counted`.`products`, 0) LIMIT 1)
		AND NOT EXISTS (
			SELECT 1 FROM json_each(new.`rule`, '$.tags') AS `want` WHERE NOT EXISTS (
				SELECT 1 FROM `product_facets` AS `held`
				WHERE `held`.`product_id` = `listed`.`product_id` AND `held`.`facet` = 'tag ' || `want`.`value`));
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_changed_rule` AFTER UPDATE OF `rule`, `archived_at` ON `collections`
WHEN (old.`rule`, old.`archived_at`) IS NOT (new.`rule`, new.`archived_at`) BEGIN
	DELETE FROM `product_facets` WHERE `business_id` = new.`business_id` AND `facet` = 'collection ' || new.`id`;
	INSERT INTO `product_facets` (`product_id`, `facet`, `business_id`, `created_at`, `price_minor`)
		SELECT `listed`.`product_id`, 'collection ' || new.`id`, `listed`.`business_id`, `listed`.`created_at`, `listed`.`price_minor`
		FROM `product_facets` AS `listed` INDEXED BY `product_facets_newest`
		WHERE new.`archived_at` IS NULL AND json_array_length(new.`rule`, '$.tags') > 1
			AND `listed`.`business_id` = new.`business_id` AND `listed`.`facet` = (
			SELECT 'tag ' || `want`.`value` FROM json_each(new.`rule`, '$.tags') AS `want`
			LEFT JOIN `product_facet_counts` AS `counted`
				ON `counted`.`business_id` = new.`business_id` AND `counted`.`facet` = 'tag ' || `want`.`value`
			ORDER BY coalesce(`counted`.`products`, 0) LIMIT 1)
		AND NOT EXISTS (
			SELECT 1 FROM json_each(new.`rule`, '$.tags') AS `want` WHERE NOT EXISTS (
				SELECT 1 FROM `product_facets` AS `held`
				WHERE `held`.`product_id` = `listed`.`product_id` AND `held`.`facet` = 'tag ' || `want`.`value`));
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_deleted_rule` AFTER DELETE ON `collections` BEGIN
	DELETE FROM `product_facets` WHERE `business_id` = old.`business_id` AND `facet` = 'collection ' || old.`id`;
END;
