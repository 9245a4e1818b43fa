import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";

/**
 * The records that background jobs could not process, stored in CORE. A record that fails again is
 * due again as well, so its due time does not tell for how long it has failed.
 */
export const jobFailures = sqliteTable(
  "job_failures",
  {
    job: text("job").notNull(),
    /** The id of the record; the database when a run fails as a whole. */
    record: text("record").notNull(),
    /** The shard that stores the record; null for a record in CORE. */
    shard: text("shard"),
    /** The runs in which the record failed. */
    failures: integer("failures").notNull(),
    firstFailedAt: instant("first_failed_at").notNull(),
    lastFailedAt: instant("last_failed_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.job, t.record] }),
    index("job_failures_latest").on(t.lastFailedAt),
  ],
);
