-- Facets are the filters of the public product list: featured, category, taxonomy, tag, property, price and
-- stock at a location, and collections with a rule of several tags. product_facets holds a row for each active
-- product and facet, and product_facet_counts the number of products of each facet. A filtered list and its
-- total therefore read an index and not every product.
--
-- The views ending in _due compute the rows that product_facets should have. Inserting a product id into such
-- a view updates the stored rows of that product and writes only those that differ. The other triggers do this
-- insert when a product, variant, stock level or collection rule changes a column that the views read.
--
-- shared/catalogue builds the same facet names in its queries. A migration that rebuilds products,
-- product_variants, stock_levels or collections drops their triggers and has to create them again.

-- Finds the collections whose rule has several tags by the first of these tags.
CREATE INDEX `collections_by_first_tag` ON `collections` (`business_id`, `rule` ->> '$.tags[0]')
	WHERE archived_at IS NULL AND json_array_length(rule, '$.tags') > 1;
--> statement-breakpoint
-- The locations where a product with counted stock has at least one unit that is not reserved.
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
-- The stock facets of a product. A change of stock updates only these.
CREATE VIEW `product_stock_facets_due` AS
	SELECT `product`.`id` AS `product_id`, `facet`.`value` AS `facet`
	FROM `products` AS `product`, json_each(iif(`product`.`inventory_type` = 'none', '["stock uncounted"]', (
		SELECT json_array('stock places ' || json_group_array(`stocked_location`.`location_id`),
			iif(count(*) > 0, 'stock somewhere', NULL))
		FROM (SELECT DISTINCT `location_id` FROM `product_stock_places`
			WHERE `product_id` = `product`.`id` ORDER BY 1) AS `stocked_location`))) AS `facet`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL AND `facet`.`value` IS NOT NULL
	UNION ALL
	SELECT `product`.`id`, 'stock at ' || `stocked_location`.`location_id`
	FROM `products` AS `product`
	JOIN `product_stock_places` AS `stocked_location` ON `stocked_location`.`product_id` = `product`.`id`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL;
--> statement-breakpoint
-- The facets of tags, and of collections whose rule has several tags. A collection with one tag in its rule
-- uses the facet of the tag. This is a separate view because D1 accepts at most five terms in a UNION.
CREATE VIEW `product_tag_facets_due` AS
	SELECT `product`.`id` AS `product_id`, 'tag ' || `tag`.`value` AS `facet`,
		`product`.`default_price_minor` AS `price_minor`
	FROM `products` AS `product`, json_each(`product`.`tags`) AS `tag`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL
	UNION ALL
	SELECT `product`.`id`, 'collection ' || `collection`.`id`, `product`.`default_price_minor`
	FROM `products` AS `product` CROSS JOIN json_each(`product`.`tags`) AS `tag`
	CROSS JOIN `collections` AS `collection` INDEXED BY `collections_by_first_tag`
		ON `collection`.`business_id` = `product`.`business_id`
		AND `collection`.`rule` ->> '$.tags[0]' = `tag`.`value`
		AND `collection`.`archived_at` IS NULL AND json_array_length(`collection`.`rule`, '$.tags') > 1
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL AND NOT EXISTS (
		SELECT 1 FROM json_each(`collection`.`rule`, '$.tags') AS `required_tag`
		WHERE `required_tag`.`value` NOT IN (SELECT `product_tag`.`value` FROM json_each(`product`.`tags`) AS `product_tag`));
--> statement-breakpoint
CREATE VIEW `product_facets_due` AS
	SELECT `product`.`id` AS `product_id`, `facet`.`value` AS `facet`,
		`product`.`default_price_minor` AS `price_minor`
	FROM `products` AS `product`, json_each(json_array(
		iif(`product`.`is_featured`, 'featured', NULL),
		'category ' || `product`.`category_id`,
		'taxonomy ' || `product`.`taxonomy_id`,
		'price places ' || (SELECT json_group_array(`priced_location`.`location_id`) FROM (
			SELECT DISTINCT `price`.`value` ->> '$.locationId' AS `location_id`
			FROM json_each(`product`.`price_overrides`) AS `price`
			WHERE `price`.`value` ->> '$.variantId' IS NULL ORDER BY 1) AS `priced_location`))) AS `facet`
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
	-- Longer keys and values are left out because no request can filter by them. Real numbers are
	-- printed with 17 digits because json_array would round them.
	SELECT `product`.`id`, 'property ' || json_array(`property`.`key`, CASE `item`.`type`
		WHEN 'true' THEN json('true') WHEN 'false' THEN json('false')
		WHEN 'real' THEN json(printf('%!.17g', `item`.`value`)) ELSE `item`.`value` END),
		`product`.`default_price_minor`
	FROM `products` AS `product`, json_each(`product`.`properties`) AS `property`, json_each(
		CASE `property`.`type` WHEN 'array' THEN `property`.`value` WHEN 'true' THEN '[true]'
			WHEN 'false' THEN '[false]' WHEN 'object' THEN '[]'
			WHEN 'real' THEN '[' || printf('%!.17g', `property`.`value`) || ']'
			ELSE json_array(`property`.`value`) END) AS `item`
	WHERE `product`.`is_active` AND `product`.`archived_at` IS NULL
		AND length(`property`.`key`) <= 100 AND length(`item`.`value`) <= 500
		AND `item`.`type` NOT IN ('array', 'object', 'null')
	UNION ALL
	SELECT `stock`.`product_id`, `stock`.`facet`,
		(SELECT `default_price_minor` FROM `products` WHERE `id` = `stock`.`product_id`)
	FROM `product_stock_facets_due` AS `stock`;
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
-- Updates all facets of the product whose id is inserted into the view.
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
-- Updates the stock facets of the product whose id is inserted into the view.
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
-- The stock triggers update a product only when a location gains its first available unit or loses its last.
-- A product with thousands of variants is therefore not recomputed for each stock level that changes.
CREATE TRIGGER `product_facets_of_new_level` AFTER INSERT ON `stock_levels`
WHEN new.`quantity_on_hand` > new.`quantity_reserved` AND NOT EXISTS (
	SELECT 1 FROM `product_facets` AS `existing`
	WHERE `existing`.`product_id` = new.`product_id` AND `existing`.`facet` = 'stock at ' || new.`location_id`) BEGIN
	INSERT INTO `product_stock_facets_due` (`product_id`) VALUES (new.`product_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_filled_level` AFTER UPDATE OF `quantity_on_hand`, `quantity_reserved` ON `stock_levels`
WHEN old.`quantity_on_hand` <= old.`quantity_reserved` AND new.`quantity_on_hand` > new.`quantity_reserved`
	AND NOT EXISTS (
		SELECT 1 FROM `product_facets` AS `existing`
		WHERE `existing`.`product_id` = new.`product_id` AND `existing`.`facet` = 'stock at ' || new.`location_id`) BEGIN
	INSERT INTO `product_stock_facets_due` (`product_id`) VALUES (new.`product_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_emptied_level` AFTER UPDATE OF `quantity_on_hand`, `quantity_reserved` ON `stock_levels`
WHEN old.`quantity_on_hand` > old.`quantity_reserved` AND new.`quantity_on_hand` <= new.`quantity_reserved`
	AND NOT EXISTS (
		SELECT 1 FROM `product_stock_places` AS `stocked_location`
		WHERE `stocked_location`.`product_id` = new.`product_id` AND `stocked_location`.`location_id` = new.`location_id`) BEGIN
	INSERT INTO `product_stock_facets_due` (`product_id`) VALUES (new.`product_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_deleted_level` AFTER DELETE ON `stock_levels`
WHEN old.`quantity_on_hand` > old.`quantity_reserved` AND NOT EXISTS (
	SELECT 1 FROM `product_stock_places` AS `stocked_location`
	WHERE `stocked_location`.`product_id` = old.`product_id` AND `stocked_location`.`location_id` = old.`location_id`) BEGIN
	INSERT INTO `product_stock_facets_due` (`product_id`) VALUES (old.`product_id`);
END;
--> statement-breakpoint
-- A collection rule selects its products from the tag with the fewest products and checks the other tags of
-- each.
CREATE TRIGGER `product_facets_of_new_rule` AFTER INSERT ON `collections`
WHEN new.`archived_at` IS NULL AND json_array_length(new.`rule`, '$.tags') > 1 BEGIN
	INSERT INTO `product_facets` (`product_id`, `facet`, `business_id`, `created_at`, `price_minor`)
		SELECT `candidate`.`product_id`, 'collection ' || new.`id`, `candidate`.`business_id`, `candidate`.`created_at`, `candidate`.`price_minor`
		FROM `product_facets` AS `candidate` INDEXED BY `product_facets_newest`
		WHERE `candidate`.`business_id` = new.`business_id` AND `candidate`.`facet` = (
			SELECT 'tag ' || `required_tag`.`value` FROM json_each(new.`rule`, '$.tags') AS `required_tag`
			LEFT JOIN `product_facet_counts` AS `tag_count`
				ON `tag_count`.`business_id` = new.`business_id` AND `tag_count`.`facet` = 'tag ' || `required_tag`.`value`
			ORDER BY coalesce(`tag_count`.`products`, 0) LIMIT 1)
		AND NOT EXISTS (
			SELECT 1 FROM json_each(new.`rule`, '$.tags') AS `required_tag` WHERE NOT EXISTS (
				SELECT 1 FROM `product_facets` AS `other_facet`
				WHERE `other_facet`.`product_id` = `candidate`.`product_id` AND `other_facet`.`facet` = 'tag ' || `required_tag`.`value`));
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_changed_rule` AFTER UPDATE OF `rule`, `archived_at` ON `collections`
WHEN (old.`rule`, old.`archived_at`) IS NOT (new.`rule`, new.`archived_at`) BEGIN
	DELETE FROM `product_facets` WHERE `business_id` = new.`business_id` AND `facet` = 'collection ' || new.`id`;
	INSERT INTO `product_facets` (`product_id`, `facet`, `business_id`, `created_at`, `price_minor`)
		SELECT `candidate`.`product_id`, 'collection ' || new.`id`, `candidate`.`business_id`, `candidate`.`created_at`, `candidate`.`price_minor`
		FROM `product_facets` AS `candidate` INDEXED BY `product_facets_newest`
		WHERE new.`archived_at` IS NULL AND json_array_length(new.`rule`, '$.tags') > 1
			AND `candidate`.`business_id` = new.`business_id` AND `candidate`.`facet` = (
			SELECT 'tag ' || `required_tag`.`value` FROM json_each(new.`rule`, '$.tags') AS `required_tag`
			LEFT JOIN `product_facet_counts` AS `tag_count`
				ON `tag_count`.`business_id` = new.`business_id` AND `tag_count`.`facet` = 'tag ' || `required_tag`.`value`
			ORDER BY coalesce(`tag_count`.`products`, 0) LIMIT 1)
		AND NOT EXISTS (
			SELECT 1 FROM json_each(new.`rule`, '$.tags') AS `required_tag` WHERE NOT EXISTS (
				SELECT 1 FROM `product_facets` AS `other_facet`
				WHERE `other_facet`.`product_id` = `candidate`.`product_id` AND `other_facet`.`facet` = 'tag ' || `required_tag`.`value`));
END;
--> statement-breakpoint
CREATE TRIGGER `product_facets_of_deleted_rule` AFTER DELETE ON `collections` BEGIN
	DELETE FROM `product_facets` WHERE `business_id` = old.`business_id` AND `facet` = 'collection ' || old.`id`;
END;
