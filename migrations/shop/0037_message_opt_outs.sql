-- Addresses that unsubscribed, and the triggers that reject writes while the business moves to another shard.
CREATE TABLE `message_opt_outs` (
	`business_id` text NOT NULL,
	`recipient` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`business_id`, `recipient`)
);
--> statement-breakpoint
CREATE TRIGGER `fence_message_opt_outs_insert` BEFORE INSERT ON `message_opt_outs`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_message_opt_outs_update` BEFORE UPDATE ON `message_opt_outs`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_message_opt_outs_delete` BEFORE DELETE ON `message_opt_outs`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
