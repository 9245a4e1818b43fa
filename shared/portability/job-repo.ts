import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, DueRows, Write } from "../database/index.ts";
import { conflict, notFound } from "../kernel/index.ts";
import { fenceHolderOf, type JobKind, jobLeaseMs, type PortabilityJob } from "./job.ts";
import { portabilityJobs } from "./tables.ts";

/** The jobs that `jobRepo.claim` claims. */
export const duePortabilityJobs: DueRows = {
  table: portabilityJobs,
  since: portabilityJobs.dueAt,
  businessId: null,
};

type JobRange = Readonly<{ limit: number; before: string | null }>;

/** Exports and imports of businesses, stored in CORE. */
export function jobRepo(db: Db) {
  const isRead = ({ id, version }: PortabilityJob) =>
    and(eq(portabilityJobs.id, id), eq(portabilityJobs.version, version));
  const isOf = (businessId: string, kind: JobKind) =>
    and(eq(portabilityJobs.businessId, businessId), eq(portabilityJobs.kind, kind));

  return {
    /**
     * Inserts a job. Inserts no row while the business has an open job, is moved or is erased, nor
     * when a move has a later id, because fences compare their holders by id.
     */
    insert(job: PortabilityJob): Write {
      const holder = fenceHolderOf(job).id;
      // Reads businesses of businesses and business_moves of moves.
      return db
        .insert(portabilityJobs)
        .select(
          sql`select ${job.id}, id, ${job.kind}, ${job.status}, ${JSON.stringify(job.position)},
            0, 0, null, 0, 0, ${job.dueAt}, ${job.createdAt}, null, null
            from businesses where id = ${job.businessId} and erase_position is null
              and not exists (select 1 from business_moves as move where move.business_id = businesses.id
                and (move.ended_at is null or move.id > ${holder}))`,
        )
        .onConflictDoNothing()
        .returning({ id: portabilityJobs.id });
    },

    /** @throws Refusal NOT_FOUND */
    async get(businessId: string, kind: JobKind, id: string): Promise<PortabilityJob> {
      const [job] = await db
        .select()
        .from(portabilityJobs)
        .where(and(isOf(businessId, kind), eq(portabilityJobs.id, id)));
      if (!job) throw notFound(kind);
      return job;
    },

    /** The job of the business that has not ended; null when there is none. */
    async findOpen(businessId: string): Promise<PortabilityJob | null> {
      const [job] = await db
        .select()
        .from(portabilityJobs)
        .where(and(eq(portabilityJobs.businessId, businessId), isNull(portabilityJobs.endedAt)));
      return job ?? null;
    },

    /** Lists jobs newest first. `before` is the last id of the previous page. */
    list(
      businessId: string,
      kind: JobKind,
      { limit, before }: JobRange,
    ): Promise<PortabilityJob[]> {
      return db
        .select()
        .from(portabilityJobs)
        .where(
          and(
            isOf(businessId, kind),
            before === null ? undefined : sql`${portabilityJobs.id} < ${before}`,
          ),
        )
        .orderBy(desc(portabilityJobs.id))
        .limit(limit);
    },

    /**
     * Claims the due job that has begun, or else the one that is due longest; null when none is due.
     * A job that stops the writes of a business is continued before others begin.
     */
    async claim(now: number): Promise<PortabilityJob | null> {
      const due = sql`(select due.id from ${portabilityJobs} as due where due.due_at <= ${now}
        order by due.status = 'running' desc, due.due_at limit 1)`;
      const [job] = await db
        .update(portabilityJobs)
        .set({
          dueAt: now + jobLeaseMs,
          status: sql`iif(${portabilityJobs.endedAt} is null, 'running', ${portabilityJobs.status})`,
          startedAt: sql`coalesce(${portabilityJobs.startedAt}, ${now})`,
          tries: sql`${portabilityJobs.tries} + 1`,
          version: sql`${portabilityJobs.version} + 1`,
        })
        .where(sql`${portabilityJobs.id} = ${due}`)
        .returning();
      return job ?? null;
    },

    /**
     * Saves the progress of a job.
     *
     * @param read the job as it was claimed or saved last.
     * @throws Refusal CONFLICT when another run has taken the job since.
     */
    async save<J extends PortabilityJob>(read: J, progress: J): Promise<J> {
      const { status, position, rows, bytes, failure, dueAt, endedAt } = progress;
      const version = read.version + 1;
      const saved = await db
        .update(portabilityJobs)
        .set({ status, position, rows, bytes, failure, dueAt, endedAt, tries: 0, version })
        .where(isRead(read))
        .returning({ id: portabilityJobs.id });
      if (saved.length === 0) throw takenOver();
      return { ...progress, tries: 0, version };
    },

    /** Deletes a job that has ended, after its files. */
    async delete({ id }: PortabilityJob): Promise<void> {
      await db
        .delete(portabilityJobs)
        .where(and(eq(portabilityJobs.id, id), isNotNull(portabilityJobs.endedAt)));
    },
  };
}

/** Deletes the jobs of a business, before the business itself. */
export const deletePortabilityJobs = (db: Db, businessId: string): Write =>
  db.delete(portabilityJobs).where(eq(portabilityJobs.businessId, businessId));

const takenOver = () => conflict("Another run has taken this job over.", { retryable: true });
