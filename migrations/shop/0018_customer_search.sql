-- Words of customers, kept in step by triggers, so that an erased customer's are gone with the row. A row
-- bears its customer's rowid, which D1 never changes (it refuses VACUUM); a migration that rebuilds
-- `customers` drops the triggers and must bring them back. `business` is as in `product_search`.
CREATE VIRTUAL TABLE `customer_search` USING fts5(
	`business`, `name`, `email`, `phone`,
	tokenize = 'unicode61 remove_diacritics 2',
	prefix = '2 3'
);
--> statement-breakpoint
-- What is deleted leaves the index at once, and not when its pages happen to be merged.
INSERT INTO `customer_search` (`customer_search`, `rank`) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO `customer_search` (`rowid`, `business`, `name`, `email`, `phone`)
	SELECT `rowid`, char(57344) || replace(`business_id`, '_', ''), `name`, `email`, `phone` FROM `customers`;
--> statement-breakpoint
CREATE TRIGGER `customer_search_insert` AFTER INSERT ON `customers` BEGIN
	INSERT OR REPLACE INTO `customer_search` (`rowid`, `business`, `name`, `email`, `phone`)
		VALUES (new.`rowid`, char(57344) || replace(new.`business_id`, '_', ''), new.`name`, new.`email`, new.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `customer_search_update` AFTER UPDATE OF `name`, `email`, `phone` ON `customers`
WHEN old.`name` IS NOT new.`name` OR old.`email` IS NOT new.`email` OR old.`phone` IS NOT new.`phone` BEGIN
	UPDATE `customer_search` SET `name` = new.`name`, `email` = new.`email`, `phone` = new.`phone`
		WHERE `rowid` = new.`rowid`;
END;
--> statement-breakpoint
CREATE TRIGGER `customer_search_delete` AFTER DELETE ON `customers` BEGIN
	DELETE FROM `customer_search` WHERE `rowid` = old.`rowid`;
END;
