ALTER TABLE `payment_references` ADD `provider_reference` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `dispute` text;