CREATE TABLE `shipment_items` (
	`shipment_id` text NOT NULL,
	`order_line_id` text NOT NULL,
	`business_id` text NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`shipment_id`, `order_line_id`),
	FOREIGN KEY (`shipment_id`) REFERENCES `shipments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shipment_items_quantity" CHECK(quantity > 0)
);
--> statement-breakpoint
CREATE INDEX `shipment_items_by_line` ON `shipment_items` (`order_line_id`);--> statement-breakpoint
CREATE TABLE `shipments` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`order_id` text NOT NULL,
	`location_id` text NOT NULL,
	`carrier` text,
	`tracking_number` text,
	`tracking_url` text,
	`status` text NOT NULL,
	`notify` integer NOT NULL,
	`shipped_at` integer,
	`delivered_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "shipments_status" CHECK("shipments"."status" in ('label_created', 'shipped', 'in_transit', 'delivered', 'failed', 'returned')),
	CONSTRAINT "shipments_shipped_at" CHECK(case status when 'label_created' then shipped_at is null when 'failed' then true else shipped_at is not null end),
	CONSTRAINT "shipments_delivered_at" CHECK(status <> 'delivered' or delivered_at is not null)
);
--> statement-breakpoint
CREATE INDEX `shipments_by_order` ON `shipments` (`order_id`,`id`);--> statement-breakpoint
ALTER TABLE `order_lines` ADD `requires_shipping` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `order_lines` ADD `stock_per_unit` text;--> statement-breakpoint
-- Lines of orders from before this column. A business that is being moved is left out, because its fence would
-- reject the write.
UPDATE `order_lines` SET `requires_shipping` = 0 WHERE (`business_id`, `product_id`) IN (
	SELECT `business_id`, `id` FROM `products` WHERE `product_type` IN ('digital', 'service'))
	AND NOT EXISTS (SELECT 1 FROM `business_fences` AS fence
		WHERE fence.`business_id` = `order_lines`.`business_id` AND fence.`state` = 'closed');
--> statement-breakpoint
-- The units of an order line that are in shipments are never more than were ordered. A shipment that failed before
-- it left holds none of them.
CREATE TRIGGER `shipment_items_within_order` BEFORE INSERT ON `shipment_items`
WHEN new.`quantity` + coalesce((SELECT sum(item.`quantity`) FROM `shipment_items` AS item
		JOIN `shipments` AS shipment ON shipment.`id` = item.`shipment_id`
		WHERE item.`order_line_id` = new.`order_line_id`
			AND NOT (shipment.`status` = 'failed' AND shipment.`shipped_at` IS NULL)
			AND item.`shipment_id` <> new.`shipment_id`), 0)
	> coalesce((SELECT line.`quantity` FROM `order_lines` AS line
		JOIN `shipments` AS shipment ON shipment.`order_id` = line.`order_id`
		WHERE line.`id` = new.`order_line_id` AND shipment.`id` = new.`shipment_id`), 0)
	AND NOT EXISTS (SELECT 1 FROM `shipments`
		WHERE `id` = new.`shipment_id` AND `status` = 'failed' AND `shipped_at` IS NULL) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: shipment_items_within_order');
END;
--> statement-breakpoint
-- A shipment that failed before it left has given its units back to the order and stays so. One that has left
-- keeps the time at which it did.
CREATE TRIGGER `shipments_voided` BEFORE UPDATE ON `shipments`
WHEN (old.`status` = 'failed' AND old.`shipped_at` IS NULL AND new.`status` <> 'failed')
	OR (old.`shipped_at` IS NOT NULL AND new.`shipped_at` IS NOT old.`shipped_at`) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: shipments_voided');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_shipments_insert` BEFORE INSERT ON `shipments`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_shipments_update` BEFORE UPDATE ON `shipments`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_shipments_delete` BEFORE DELETE ON `shipments`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_shipment_items_insert` BEFORE INSERT ON `shipment_items`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_shipment_items_update` BEFORE UPDATE ON `shipment_items`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_shipment_items_delete` BEFORE DELETE ON `shipment_items`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
