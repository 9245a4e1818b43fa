CREATE TABLE `portability_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`business_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`position` text NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`failure` text,
	`tries` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`ended_at` integer,
	FOREIGN KEY (`business_id`) REFERENCES `businesses`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "portability_jobs_kind" CHECK("portability_jobs"."kind" in ('export', 'import')),
	CONSTRAINT "portability_jobs_status" CHECK("portability_jobs"."status" in ('queued', 'running', 'completed', 'failed')),
	CONSTRAINT "portability_jobs_ended" CHECK((ended_at is not null) = (status in ('completed', 'failed')))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `portability_jobs_one_open` ON `portability_jobs` (`business_id`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `portability_jobs_of_business` ON `portability_jobs` (`business_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `portability_jobs_due` ON `portability_jobs` (`due_at`);