import { and, eq, sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { jobLeases } from "./tables.ts";

/** A run's right to work on a database as one of the job's chains. */
export type JobLease = Readonly<{ job: string; chain: number; holder: string }>;

/**
 * The leases of the runs that work on a database. The primary key allows each chain of a job one
 * run at a time, so that a message that arrives twice or too early starts none.
 */
export function jobLeaseRepo(db: Db) {
  return {
    /** Takes the lease unless another run holds it; returns whether it was taken. */
    async acquire(
      { job, chain, holder }: JobLease,
      { now, leaseMs }: Readonly<{ now: number; leaseMs: number }>,
    ): Promise<boolean> {
      const acquired = await db
        .insert(jobLeases)
        .values({ job, chain, holder, leaseUntil: now + leaseMs })
        .onConflictDoUpdate({
          target: [jobLeases.job, jobLeases.chain],
          set: { holder, leaseUntil: now + leaseMs },
          setWhere: sql`${jobLeases.leaseUntil} <= ${now}`,
        })
        .returning({ holder: jobLeases.holder });
      return acquired.length > 0;
    },

    /** Ends the lease, unless another run has taken it over since. */
    async release({ job, chain, holder }: JobLease): Promise<void> {
      await db
        .delete(jobLeases)
        .where(
          and(eq(jobLeases.job, job), eq(jobLeases.chain, chain), eq(jobLeases.holder, holder)),
        );
    },
  };
}
