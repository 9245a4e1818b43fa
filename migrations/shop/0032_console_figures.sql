ALTER TABLE `support_conversations` ADD `unread_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `support_conversations` ADD `awaits_reply` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `support_conversations_unread` ON `support_conversations` (`business_id`,`active_at`,`id`) WHERE unread_count > 0;--> statement-breakpoint
CREATE INDEX `support_conversations_unanswered` ON `support_conversations` (`business_id`,`active_at`) WHERE awaits_reply = 1;--> statement-breakpoint
CREATE INDEX `stock_levels_low` ON `stock_levels` (`business_id`,`item_id`,`location_id`) WHERE is_low = 1;--> statement-breakpoint
CREATE INDEX `stock_movements_of_level` ON `stock_movements` (`business_id`,`item_id`,`location_id`,`at`,`id`);