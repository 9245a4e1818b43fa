CREATE TABLE `business_fences` (
	`business_id` text PRIMARY KEY NOT NULL,
	`move_id` text NOT NULL,
	`state` text NOT NULL,
	CONSTRAINT "business_fences_state" CHECK("business_fences"."state" in ('closed', 'lifted', 'open'))
);
