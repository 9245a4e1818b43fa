import { and, desc, eq, gt, gte, lte, sql } from "drizzle-orm";
import { hour } from "../kernel/index.ts";
import type { Db } from "./client.ts";
import { jobFailures } from "./job-failure-tables.ts";

/** A record that failed in fewer runs may have met a conflict or an outage. */
const minFailures = 3;
/**
 * A record that has not failed for this time is processed, or gone. No job waits longer before it
 * tries a failed record again; a refund waits up to six hours.
 */
const maxPauseMs = 7 * hour;

export type FailedRecord = Readonly<{ job: string; shard: string | null; record: string }>;

/** The records that fail in every run of their job, in CORE. */
export function jobFailureRepo(core: Db) {
  return {
    /** Forgets records that fail no longer, and counts one failure more of each of these. */
    async save(failed: readonly FailedRecord[], now: number): Promise<void> {
      await core.batch([
        core.delete(jobFailures).where(lte(jobFailures.lastFailedAt, now - maxPauseMs)),
        core
          .insert(jobFailures)
          .select(
            sql`select distinct value ->> 'job', value ->> 'record', value ->> 'shard', 1, ${now}, ${now}
              from json_each(${JSON.stringify(failed)}) where true`,
          )
          .onConflictDoUpdate({
            target: [jobFailures.job, jobFailures.record],
            set: { failures: sql`${jobFailures.failures} + 1`, lastFailedAt: now },
          }),
      ]);
    },

    /** The records that keep failing, those that have failed longest first. */
    listFailing: ({ now, limit }: Readonly<{ now: number; limit: number }>) =>
      core
        .select()
        .from(jobFailures)
        .where(isFailing(now))
        .orderBy(jobFailures.firstFailedAt, desc(jobFailures.failures))
        .limit(limit),

    /** The ids of a job's records that keep failing. */
    async listFailingIds(job: string, now: number): Promise<string[]> {
      const rows = await core
        .select({ record: jobFailures.record })
        .from(jobFailures)
        .where(and(eq(jobFailures.job, job), isFailing(now)));
      return rows.map(({ record }) => record);
    },
  };
}

const isFailing = (now: number) =>
  and(gt(jobFailures.lastFailedAt, now - maxPauseMs), gte(jobFailures.failures, minFailures));
