CREATE TABLE `job_leases` (
	`job` text NOT NULL,
	`chain` integer NOT NULL,
	`holder` text NOT NULL,
	`lease_until` integer NOT NULL,
	PRIMARY KEY(`job`, `chain`)
);
