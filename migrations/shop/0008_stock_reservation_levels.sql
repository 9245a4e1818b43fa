-- Rejects a reservation of a stock level that does not exist. A foreign key would do the same, but it needs an
-- index of its own, which is one more row to write for each reservation. A stock level with reservations is
-- deleted only together with its business, and then the reservations are deleted first. A migration that
-- rebuilds stock_reservations drops this trigger and has to create it again.

CREATE TRIGGER `stock_reservations_level` BEFORE INSERT ON `stock_reservations`
WHEN NOT EXISTS (SELECT 1 FROM `stock_levels`
	WHERE `business_id` = new.business_id AND `item_id` = new.item_id AND `location_id` = new.location_id) BEGIN
	SELECT RAISE(ABORT, 'constraint failed: stock_reservations_level');
END;
