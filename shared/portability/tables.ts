import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { businesses } from "../businesses/tables.ts";
import { document, instant, oneOf } from "../database/columns.ts";
import {
  type JobFailure,
  type JobKind,
  type JobPosition,
  type JobStatus,
  jobKinds,
  jobStatuses,
} from "./job.ts";

/** Exports and imports of whole businesses, stored in CORE until their files are deleted. */
export const portabilityJobs = sqliteTable(
  "portability_jobs",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id")
      .notNull()
      .references(() => businesses.id),
    kind: text("kind").$type<JobKind>().notNull(),
    status: text("status").$type<JobStatus>().notNull(),
    position: document<JobPosition>("position").notNull(),
    rows: integer("rows").notNull().default(0),
    bytes: integer("bytes").notNull().default(0),
    failure: document<JobFailure>("failure"),
    /** How often a run has taken the job since it last saved progress. */
    tries: integer("tries").notNull().default(0),
    /** Raised by every claim and save. A save based on an older version changes nothing. */
    version: integer("version").notNull().default(0),
    /** When a run takes the job, and after its end when the job and its files are deleted. */
    dueAt: instant("due_at").notNull(),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    endedAt: instant("ended_at"),
  },
  (t) => [
    uniqueIndex("portability_jobs_one_open").on(t.businessId).where(sql`ended_at is null`),
    index("portability_jobs_of_business").on(t.businessId, t.kind, t.id),
    index("portability_jobs_due").on(t.dueAt),
    check("portability_jobs_kind", oneOf(t.kind, jobKinds)),
    check("portability_jobs_status", oneOf(t.status, jobStatuses)),
    check(
      "portability_jobs_ended",
      sql`(ended_at is not null) = (status in ('completed', 'failed'))`,
    ),
  ],
);
