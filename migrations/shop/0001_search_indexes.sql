-- Full-text indexes of products and customers. The triggers write each index in the same transaction as its
-- table. A search therefore finds a row as soon as it is written, and the words of an erased customer are
-- deleted with the row.
--
-- An index row has the rowid of its product or customer. Rowids never change because D1 does not run VACUUM.
-- A migration that rebuilds products or customers drops their triggers and has to create them again.
--
-- The column business holds one token for each business. It starts with U+E000, a private-use character that
-- no shopper can type. A search includes this token, so that it reads the words of one business only.

CREATE VIRTUAL TABLE `product_search` USING fts5(
	`business`, `name`, `description`, `tags`,
	tokenize = 'unicode61 remove_diacritics 2',
	prefix = '2 3'
);
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
--> statement-breakpoint
CREATE VIRTUAL TABLE `customer_search` USING fts5(
	`business`, `name`, `email`, `phone`,
	tokenize = 'unicode61 remove_diacritics 2',
	prefix = '2 3'
);
--> statement-breakpoint
-- Remove deleted words from the index at once, not when FTS5 merges its pages.
INSERT INTO `customer_search` (`customer_search`, `rank`) VALUES ('secure-delete', 1);
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
