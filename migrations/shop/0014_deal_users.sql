ALTER TABLE `deal_redemptions` ADD `customer_id` text;--> statement-breakpoint
ALTER TABLE `deal_redemptions` ADD `email` text;--> statement-breakpoint
ALTER TABLE `deal_redemptions` ADD `phone` text;--> statement-breakpoint
CREATE INDEX `deal_redemptions_of_customer` ON `deal_redemptions` (`deal_id`,`customer_id`);--> statement-breakpoint
CREATE INDEX `deal_redemptions_of_email` ON `deal_redemptions` (`deal_id`,`email`) WHERE email is not null;--> statement-breakpoint
CREATE INDEX `deal_redemptions_of_phone` ON `deal_redemptions` (`deal_id`,`phone`) WHERE phone is not null;--> statement-breakpoint
UPDATE `deal_redemptions` SET
	`customer_id` = iif(`customer_key` like 'cus\_%' escape '\', `customer_key`, null),
	`email` = iif(`customer_key` like '%@%', `customer_key`, null),
	`phone` = iif(`customer_key` like '+%', `customer_key`, null);--> statement-breakpoint
DROP INDEX `deal_redemptions_by_customer`;--> statement-breakpoint
ALTER TABLE `deal_redemptions` DROP COLUMN `customer_key`;