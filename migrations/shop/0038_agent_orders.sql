-- Which agents placed orders, their platforms as receivers of webhooks, and the triggers that reject writes while the business moves to another shard.
CREATE TABLE `agent_orders` (
	`order_id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`checkout_id` text NOT NULL,
	`profile_url` text NOT NULL,
	`release` text NOT NULL,
	`business_address` text NOT NULL,
	`webhook_url` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `platform_profile_url` text;--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_subscriptions_of_platform` ON `webhook_subscriptions` (`business_id`,`platform_profile_url`) WHERE platform_profile_url is not null;
--> statement-breakpoint
CREATE TRIGGER `fence_agent_orders_insert` BEFORE INSERT ON `agent_orders`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_agent_orders_update` BEFORE UPDATE ON `agent_orders`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_agent_orders_delete` BEFORE DELETE ON `agent_orders`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
