CREATE TABLE `customer_group_members` (
	`group_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`business_id` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`group_id`, `customer_id`),
	FOREIGN KEY (`group_id`) REFERENCES `customer_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `customer_group_members_of_customer` ON `customer_group_members` (`customer_id`,`group_id`);--> statement-breakpoint
CREATE TABLE `customer_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`name` text NOT NULL,
	`customer_count` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "customer_groups_count" CHECK(customer_count >= 0)
);
--> statement-breakpoint
CREATE INDEX `customer_groups_newest` ON `customer_groups` (`business_id`,`id`) WHERE archived_at is null;--> statement-breakpoint
PRAGMA defer_foreign_keys = on;
--> statement-breakpoint
DROP VIEW `deal_targets_due`;
--> statement-breakpoint
-- deal_redemptions refers to deals. Inserting the deals again after the new table exists restores these references;
-- renaming a copy would not.
CREATE TABLE `deals_before` AS SELECT * FROM `deals`;
--> statement-breakpoint
DROP TABLE `deals`;
--> statement-breakpoint
CREATE TABLE `deals` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`code` text,
	`code_key` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`discount_type` text NOT NULL,
	`percent` text,
	`amount_minor` integer,
	`min_order_subtotal_minor` integer,
	`max_discount_minor` integer,
	`scope` text NOT NULL,
	`scope_ids` text NOT NULL,
	`buy_quantity` integer,
	`buy_scope` text,
	`buy_scope_ids` text,
	`get_quantity` integer,
	`max_uses_per_order` integer,
	`tiers` text,
	`combines_with` text,
	`customer_group_ids` text,
	`starts_at` integer,
	`ends_at` integer,
	`usage_limit` integer,
	`times_redeemed` integer DEFAULT 0 NOT NULL,
	`per_customer_limit` integer,
	`is_active` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "deals_discount_type" CHECK("deals"."discount_type" in ('percentage', 'fixed_amount', 'free_delivery', 'buy_x_get_y', 'tiered')),
	CONSTRAINT "deals_scope" CHECK("deals"."scope" in ('order', 'product', 'category', 'collection')),
	CONSTRAINT "deals_discount" CHECK((discount_type in ('percentage', 'buy_x_get_y')) = (percent is not null)
        and (discount_type = 'fixed_amount') = (amount_minor is not null)
        and (discount_type = 'tiered') = (tiers is not null)),
	CONSTRAINT "deals_buy_scope" CHECK("deals"."buy_scope" in ('order', 'product', 'category', 'collection')),
	CONSTRAINT "deals_buy_x_get_y" CHECK(iif(discount_type = 'buy_x_get_y',
        coalesce(buy_quantity >= 1 and get_quantity >= 1 and max_uses_per_order >= 1, 0)
          and buy_scope is not null and buy_scope_ids is not null,
        coalesce(buy_quantity, get_quantity, max_uses_per_order, buy_scope, buy_scope_ids) is null)),
	CONSTRAINT "deals_amounts" CHECK(coalesce(amount_minor, 0) >= 0 and coalesce(min_order_subtotal_minor, 0) >= 0 and coalesce(max_discount_minor, 0) >= 0),
	CONSTRAINT "deals_window" CHECK(starts_at is null or ends_at is null or starts_at < ends_at),
	CONSTRAINT "deals_usage" CHECK(times_redeemed >= 0 and (usage_limit is null or times_redeemed <= usage_limit))
);
--> statement-breakpoint
INSERT INTO `deals` (`id`, `business_id`, `code`, `code_key`, `name`, `description`, `discount_type`, `percent`, `amount_minor`, `min_order_subtotal_minor`, `max_discount_minor`, `scope`, `scope_ids`, `starts_at`, `ends_at`, `usage_limit`, `times_redeemed`, `per_customer_limit`, `is_active`, `archived_at`, `created_at`, `updated_at`)
	SELECT `id`, `business_id`, `code`, `code_key`, `name`, `description`, `discount_type`, `percent`, `amount_minor`, `min_order_subtotal_minor`, `max_discount_minor`, `scope`, `scope_ids`, `starts_at`, `ends_at`, `usage_limit`, `times_redeemed`, `per_customer_limit`, `is_active`, `archived_at`, `created_at`, `updated_at` FROM `deals_before`;
--> statement-breakpoint
DROP TABLE `deals_before`;
--> statement-breakpoint
CREATE UNIQUE INDEX `deals_code` ON `deals` (`business_id`,`code_key`) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX `deals_newest` ON `deals` (`business_id`,`id`);--> statement-breakpoint
CREATE INDEX `deals_by_scope` ON `deals` (`business_id`,`scope`,`ends_at`) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX `deals_by_buy_scope` ON `deals` (`business_id`,`buy_scope`,`ends_at`) WHERE archived_at is null and buy_scope is not null;
--> statement-breakpoint
-- As in 0006_deal_targets.sql. The second view has the targets of what a deal counts as bought.
CREATE VIEW `deal_targets_due` AS
	SELECT `deal`.`business_id`, `deal`.`scope`, `target`.`value` AS `target_id`,
		coalesce(`deal`.`ends_at`, 8640000000000000) AS `ends_at`, `deal`.`id` AS `deal_id`, `deal`.`starts_at`
	FROM `deals` AS `deal` CROSS JOIN json_each(`deal`.`scope_ids`) AS `target`
	WHERE `deal`.`scope` IN ('category', 'collection')
		AND `deal`.`is_active` AND `deal`.`archived_at` IS NULL
		AND coalesce(`deal`.`times_redeemed` < `deal`.`usage_limit`, 1);
--> statement-breakpoint
CREATE VIEW `deal_buy_targets_due` AS
	SELECT `deal`.`business_id`, `deal`.`buy_scope` AS `scope`, `target`.`value` AS `target_id`,
		coalesce(`deal`.`ends_at`, 8640000000000000) AS `ends_at`, `deal`.`id` AS `deal_id`, `deal`.`starts_at`
	FROM `deals` AS `deal` CROSS JOIN json_each(`deal`.`buy_scope_ids`) AS `target`
	WHERE `deal`.`buy_scope` IN ('category', 'collection')
		AND `deal`.`is_active` AND `deal`.`archived_at` IS NULL
		AND coalesce(`deal`.`times_redeemed` < `deal`.`usage_limit`, 1);
--> statement-breakpoint
CREATE TRIGGER `deal_targets_of_new` AFTER INSERT ON `deals`
WHEN new.`scope` IN ('category', 'collection') OR new.`buy_scope` IN ('category', 'collection') BEGIN
	INSERT INTO `deal_targets` (`business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at`)
		SELECT `business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at` FROM `deal_targets_due` WHERE `deal_id` = new.`id`
		UNION
		SELECT `business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at` FROM `deal_buy_targets_due` WHERE `deal_id` = new.`id`;
END;
--> statement-breakpoint
-- Redeeming a deal changes its rows only when the last use is taken or returned.
CREATE TRIGGER `deal_targets_of_changed` AFTER UPDATE OF `business_id`, `scope`, `scope_ids`, `buy_scope`, `buy_scope_ids`,
	`starts_at`, `ends_at`, `usage_limit`, `times_redeemed`, `is_active`, `archived_at` ON `deals`
WHEN (old.`business_id`, old.`scope`, old.`scope_ids`, old.`buy_scope`, old.`buy_scope_ids`, old.`starts_at`,
		old.`ends_at`, old.`is_active`, old.`archived_at`, coalesce(old.`times_redeemed` < old.`usage_limit`, 1))
	IS NOT (new.`business_id`, new.`scope`, new.`scope_ids`, new.`buy_scope`, new.`buy_scope_ids`, new.`starts_at`,
		new.`ends_at`, new.`is_active`, new.`archived_at`, coalesce(new.`times_redeemed` < new.`usage_limit`, 1)) BEGIN
	DELETE FROM `deal_targets`
		WHERE `business_id` = old.`business_id` AND `scope` IN (old.`scope`, old.`buy_scope`)
			AND `target_id` IN (SELECT `value` FROM json_each(old.`scope_ids`)
				UNION SELECT `value` FROM json_each(old.`buy_scope_ids`))
			AND `ends_at` = coalesce(old.`ends_at`, 8640000000000000) AND `deal_id` = old.`id`;
	INSERT INTO `deal_targets` (`business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at`)
		SELECT `business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at` FROM `deal_targets_due` WHERE `deal_id` = new.`id`
		UNION
		SELECT `business_id`, `scope`, `target_id`, `ends_at`, `deal_id`, `starts_at` FROM `deal_buy_targets_due` WHERE `deal_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `deal_targets_of_deleted` AFTER DELETE ON `deals` BEGIN
	DELETE FROM `deal_targets`
		WHERE `business_id` = old.`business_id` AND `scope` IN (old.`scope`, old.`buy_scope`)
			AND `target_id` IN (SELECT `value` FROM json_each(old.`scope_ids`)
				UNION SELECT `value` FROM json_each(old.`buy_scope_ids`))
			AND `ends_at` = coalesce(old.`ends_at`, 8640000000000000) AND `deal_id` = old.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `fence_deals_insert` BEFORE INSERT ON `deals`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_deals_update` BEFORE UPDATE ON `deals`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_deals_delete` BEFORE DELETE ON `deals`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_customer_groups_insert` BEFORE INSERT ON `customer_groups`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_customer_groups_update` BEFORE UPDATE ON `customer_groups`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_customer_groups_delete` BEFORE DELETE ON `customer_groups`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_customer_group_members_insert` BEFORE INSERT ON `customer_group_members`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_customer_group_members_update` BEFORE UPDATE ON `customer_group_members`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_customer_group_members_delete` BEFORE DELETE ON `customer_group_members`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
