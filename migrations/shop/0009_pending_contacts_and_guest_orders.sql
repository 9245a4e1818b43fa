ALTER TABLE `customers` ADD `pending_email` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `pending_phone` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `saves_details` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_of_guest_phone` ON `orders` (`business_id`,`customer_phone`) WHERE customer_id is null and customer_phone is not null;--> statement-breakpoint
CREATE INDEX `orders_of_guest_email` ON `orders` (`business_id`,`customer_email`) WHERE customer_id is null and customer_email is not null;