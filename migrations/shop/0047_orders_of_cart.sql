ALTER TABLE `orders` ADD `cart_id` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `cart_turn` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_of_cart` ON `orders` (`cart_id`,`cart_turn`) WHERE cart_id is not null;