-- Words of products, kept in step by triggers. A row bears its product's rowid, which D1 never changes
-- (it refuses VACUUM); a migration that rebuilds `products` drops the triggers and must bring them back.
-- `business` is one token that no shopper can type (it starts with U+E000, for private use), so that a
-- search walks the words of one business and not those of the whole shard.
CREATE VIRTUAL TABLE `product_search` USING fts5(
	`business`, `name`, `description`, `tags`,
	tokenize = 'unicode61 remove_diacritics 2',
	prefix = '2 3'
);
--> statement-breakpoint
INSERT INTO `product_search` (`rowid`, `business`, `name`, `description`, `tags`)
	SELECT `rowid`, char(57344) || replace(`business_id`, '_', ''), `name`, `description`, `tags` FROM `products`;
--> statement-breakpoint
CREATE TRIGGER `product_search_insert` AFTER INSERT ON `products` BEGIN
	INSERT OR REPLACE INTO `product_search` (`rowid`, `business`, `name`, `description`, `tags`)
		VALUES (new.`rowid`, char(57344) || replace(new.`business_id`, '_', ''), new.`name`, new.`description`, new.`tags`);
END;
--> statement-breakpoint
CREATE TRIGGER `product_search_update` AFTER UPDATE OF `name`, `description`, `tags` ON `products`
WHEN old.`name` <> new.`name` OR old.`description` <> new.`description` OR old.`tags` <> new.`tags` BEGIN
	UPDATE `product_search` SET `name` = new.`name`, `description` = new.`description`, `tags` = new.`tags`
		WHERE `rowid` = new.`rowid`;
END;
--> statement-breakpoint
CREATE TRIGGER `product_search_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `product_search` WHERE `rowid` = old.`rowid`;
END;
