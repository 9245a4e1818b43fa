PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_stock_reservations` (
	`order_id` text NOT NULL,
	`business_id` text NOT NULL,
	`item_id` text NOT NULL,
	`location_id` text NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`order_id`, `item_id`, `location_id`),
	CONSTRAINT "stock_reservations_quantity" CHECK(quantity > 0)
);
--> statement-breakpoint
INSERT INTO `__new_stock_reservations`("order_id", "business_id", "item_id", "location_id", "quantity") SELECT "order_id", "business_id", "item_id", "location_id", "quantity" FROM `stock_reservations`;--> statement-breakpoint
DROP TABLE `stock_reservations`;--> statement-breakpoint
ALTER TABLE `__new_stock_reservations` RENAME TO `stock_reservations`;--> statement-breakpoint
PRAGMA foreign_keys=ON;
--> statement-breakpoint
-- What the table had before it was built again: the fence of its business.
CREATE TRIGGER `fence_stock_reservations_insert` BEFORE INSERT ON `stock_reservations`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_stock_reservations_update` BEFORE UPDATE ON `stock_reservations`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_stock_reservations_delete` BEFORE DELETE ON `stock_reservations`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
-- Instead of its foreign key: nothing is held of a level that is not there. A level is never deleted while
-- something is held of it, but with its business, whose reservations go first (shared/moves/moved-tables.ts).
CREATE TRIGGER `stock_reservations_level` BEFORE INSERT ON `stock_reservations`
WHEN NOT EXISTS (SELECT 1 FROM `stock_levels`
	WHERE `business_id` = new.business_id AND `item_id` = new.item_id AND `location_id` = new.location_id) BEGIN
	SELECT RAISE(ABORT, 'stock_reservations_level');
END;
