import { log } from "../runtime/log.ts";

/** A run of a job on CORE, as the background Worker's queue takes it. */
type CoreJobMessage = Readonly<{ job: string; shard: null; chain: 0 }>;

/** The binding of the queue of jobs. */
export type JobBindings = Readonly<{ WORK: Queue<CoreJobMessage> }>;

/** Starts a job on CORE without waiting for cron, which starts it within a minute otherwise. */
export async function wakeCoreJob({ WORK }: JobBindings, job: string): Promise<void> {
  try {
    await WORK.send({ job, shard: null, chain: 0 });
  } catch (error) {
    log("warn", "job not woken", { job, error: String(error) });
  }
}
