-- While a business is moved to another shard, its row in business_fences is closed. These triggers then reject
-- every insert, update and delete of its rows, so that no write is lost between the copy and the switch to the
-- new shard. The check is part of the transaction that writes. A Worker that has not noticed the move yet is
-- therefore rejected too, and its caller receives a 503.
--
-- Every table of shared/moves/moved-tables.ts has three triggers. test/moves/fences.test.ts compares them with
-- the expected text. A migration that adds or rebuilds one of these tables has to create its triggers.

CREATE TRIGGER `fence_catalogue_versions_insert` BEFORE INSERT ON `catalogue_versions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_catalogue_versions_update` BEFORE UPDATE ON `catalogue_versions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_catalogue_versions_delete` BEFORE DELETE ON `catalogue_versions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_categories_insert` BEFORE INSERT ON `categories`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_categories_update` BEFORE UPDATE ON `categories`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_categories_delete` BEFORE DELETE ON `categories`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_collections_insert` BEFORE INSERT ON `collections`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_collections_update` BEFORE UPDATE ON `collections`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_collections_delete` BEFORE DELETE ON `collections`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_attributes_insert` BEFORE INSERT ON `attributes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_attributes_update` BEFORE UPDATE ON `attributes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_attributes_delete` BEFORE DELETE ON `attributes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_billing_plans_insert` BEFORE INSERT ON `billing_plans`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_billing_plans_update` BEFORE UPDATE ON `billing_plans`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_billing_plans_delete` BEFORE DELETE ON `billing_plans`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_imports_insert` BEFORE INSERT ON `imports`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_imports_update` BEFORE UPDATE ON `imports`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_imports_delete` BEFORE DELETE ON `imports`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_products_insert` BEFORE INSERT ON `products`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_products_update` BEFORE UPDATE ON `products`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_products_delete` BEFORE DELETE ON `products`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_product_variants_insert` BEFORE INSERT ON `product_variants`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_product_variants_update` BEFORE UPDATE ON `product_variants`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_product_variants_delete` BEFORE DELETE ON `product_variants`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_bundles_insert` BEFORE INSERT ON `bundles`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_bundles_update` BEFORE UPDATE ON `bundles`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_bundles_delete` BEFORE DELETE ON `bundles`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_composites_insert` BEFORE INSERT ON `composites`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_composites_update` BEFORE UPDATE ON `composites`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_composites_delete` BEFORE DELETE ON `composites`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_bought_together_insert` BEFORE INSERT ON `bought_together`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_bought_together_update` BEFORE UPDATE ON `bought_together`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_bought_together_delete` BEFORE DELETE ON `bought_together`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_collection_products_insert` BEFORE INSERT ON `collection_products`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from collections as parent where parent.id = new.collection_id) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_collection_products_update` BEFORE UPDATE ON `collection_products`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from collections as parent where parent.id = new.collection_id) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_collection_products_delete` BEFORE DELETE ON `collection_products`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from collections as parent where parent.id = old.collection_id) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_stock_levels_insert` BEFORE INSERT ON `stock_levels`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_stock_levels_update` BEFORE UPDATE ON `stock_levels`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_stock_levels_delete` BEFORE DELETE ON `stock_levels`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_stock_movements_insert` BEFORE INSERT ON `stock_movements`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_stock_movements_update` BEFORE UPDATE ON `stock_movements`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_stock_movements_delete` BEFORE DELETE ON `stock_movements`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
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
CREATE TRIGGER `fence_staff_insert` BEFORE INSERT ON `staff`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_staff_update` BEFORE UPDATE ON `staff`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_staff_delete` BEFORE DELETE ON `staff`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_resources_insert` BEFORE INSERT ON `resources`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_resources_update` BEFORE UPDATE ON `resources`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_resources_delete` BEFORE DELETE ON `resources`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_services_insert` BEFORE INSERT ON `services`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_services_update` BEFORE UPDATE ON `services`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_services_delete` BEFORE DELETE ON `services`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_slot_claims_insert` BEFORE INSERT ON `slot_claims`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_slot_claims_update` BEFORE UPDATE ON `slot_claims`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_slot_claims_delete` BEFORE DELETE ON `slot_claims`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_bookings_insert` BEFORE INSERT ON `bookings`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_bookings_update` BEFORE UPDATE ON `bookings`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_bookings_delete` BEFORE DELETE ON `bookings`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_customers_insert` BEFORE INSERT ON `customers`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_customers_update` BEFORE UPDATE ON `customers`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_customers_delete` BEFORE DELETE ON `customers`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
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
CREATE TRIGGER `fence_price_quotes_insert` BEFORE INSERT ON `price_quotes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_price_quotes_update` BEFORE UPDATE ON `price_quotes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_price_quotes_delete` BEFORE DELETE ON `price_quotes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_fx_quotes_insert` BEFORE INSERT ON `fx_quotes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_fx_quotes_update` BEFORE UPDATE ON `fx_quotes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_fx_quotes_delete` BEFORE DELETE ON `fx_quotes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_sequences_insert` BEFORE INSERT ON `order_sequences`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_sequences_update` BEFORE UPDATE ON `order_sequences`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_sequences_delete` BEFORE DELETE ON `order_sequences`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_orders_insert` BEFORE INSERT ON `orders`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_orders_update` BEFORE UPDATE ON `orders`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_orders_delete` BEFORE DELETE ON `orders`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_lines_insert` BEFORE INSERT ON `order_lines`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_lines_update` BEFORE UPDATE ON `order_lines`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_lines_delete` BEFORE DELETE ON `order_lines`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_terms_insert` BEFORE INSERT ON `order_terms`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_terms_update` BEFORE UPDATE ON `order_terms`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_terms_delete` BEFORE DELETE ON `order_terms`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_link_orders_insert` BEFORE INSERT ON `link_orders`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_link_orders_update` BEFORE UPDATE ON `link_orders`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_link_orders_delete` BEFORE DELETE ON `link_orders`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_history_insert` BEFORE INSERT ON `order_history`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from orders as parent where parent.id = new.order_id) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_history_update` BEFORE UPDATE ON `order_history`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from orders as parent where parent.id = new.order_id) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_order_history_delete` BEFORE DELETE ON `order_history`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from orders as parent where parent.id = old.order_id) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_deal_redemptions_insert` BEFORE INSERT ON `deal_redemptions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_deal_redemptions_update` BEFORE UPDATE ON `deal_redemptions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_deal_redemptions_delete` BEFORE DELETE ON `deal_redemptions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_payments_insert` BEFORE INSERT ON `payments`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_payments_update` BEFORE UPDATE ON `payments`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_payments_delete` BEFORE DELETE ON `payments`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_payment_references_insert` BEFORE INSERT ON `payment_references`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_payment_references_update` BEFORE UPDATE ON `payment_references`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_payment_references_delete` BEFORE DELETE ON `payment_references`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_refunds_insert` BEFORE INSERT ON `refunds`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_refunds_update` BEFORE UPDATE ON `refunds`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_refunds_delete` BEFORE DELETE ON `refunds`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_sandbox_charges_insert` BEFORE INSERT ON `sandbox_charges`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from orders as parent where parent.id = new.order_id) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_sandbox_charges_update` BEFORE UPDATE ON `sandbox_charges`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from orders as parent where parent.id = new.order_id) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_sandbox_charges_delete` BEFORE DELETE ON `sandbox_charges`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from orders as parent where parent.id = old.order_id) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_sandbox_refunds_insert` BEFORE INSERT ON `sandbox_refunds`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from sandbox_charges as charge join orders as parent on parent.id = charge.order_id where charge.reference = new.reference) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_sandbox_refunds_update` BEFORE UPDATE ON `sandbox_refunds`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from sandbox_charges as charge join orders as parent on parent.id = charge.order_id where charge.reference = new.reference) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_sandbox_refunds_delete` BEFORE DELETE ON `sandbox_refunds`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = (select parent.business_id from sandbox_charges as charge join orders as parent on parent.id = charge.order_id where charge.reference = old.reference) AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_subscriptions_insert` BEFORE INSERT ON `subscriptions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_subscriptions_update` BEFORE UPDATE ON `subscriptions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_subscriptions_delete` BEFORE DELETE ON `subscriptions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_subscription_invoices_insert` BEFORE INSERT ON `subscription_invoices`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_subscription_invoices_update` BEFORE UPDATE ON `subscription_invoices`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_subscription_invoices_delete` BEFORE DELETE ON `subscription_invoices`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_support_conversations_insert` BEFORE INSERT ON `support_conversations`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_support_conversations_update` BEFORE UPDATE ON `support_conversations`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_support_conversations_delete` BEFORE DELETE ON `support_conversations`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_uploads_insert` BEFORE INSERT ON `uploads`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_uploads_update` BEFORE UPDATE ON `uploads`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_uploads_delete` BEFORE DELETE ON `uploads`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_events_insert` BEFORE INSERT ON `events`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_events_update` BEFORE UPDATE ON `events`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_events_delete` BEFORE DELETE ON `events`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_webhook_subscriptions_insert` BEFORE INSERT ON `webhook_subscriptions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_webhook_subscriptions_update` BEFORE UPDATE ON `webhook_subscriptions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_webhook_subscriptions_delete` BEFORE DELETE ON `webhook_subscriptions`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_webhook_deliveries_insert` BEFORE INSERT ON `webhook_deliveries`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_webhook_deliveries_update` BEFORE UPDATE ON `webhook_deliveries`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_webhook_deliveries_delete` BEFORE DELETE ON `webhook_deliveries`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_audit_entries_insert` BEFORE INSERT ON `audit_entries`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_audit_entries_update` BEFORE UPDATE ON `audit_entries`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_audit_entries_delete` BEFORE DELETE ON `audit_entries`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_idempotency_keys_insert` BEFORE INSERT ON `idempotency_keys`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_idempotency_keys_update` BEFORE UPDATE ON `idempotency_keys`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_idempotency_keys_delete` BEFORE DELETE ON `idempotency_keys`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.business_id AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_one_time_codes_insert` BEFORE INSERT ON `one_time_codes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.audience AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_one_time_codes_update` BEFORE UPDATE ON `one_time_codes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = new.audience AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
--> statement-breakpoint
CREATE TRIGGER `fence_one_time_codes_delete` BEFORE DELETE ON `one_time_codes`
WHEN EXISTS (SELECT 1 FROM `business_fences` WHERE `business_id` = old.audience AND `state` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END;
