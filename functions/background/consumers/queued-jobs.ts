import { type BackgroundContext, reportError } from "../context.ts";
import { QueuedJob } from "../queued-job.ts";
import { runQueuedJob } from "../runs/run-job.ts";

/**
 * Runs the jobs that cron queued. A failed job is not retried, because cron queues the same work
 * again.
 */
export async function consumeQueuedJobs(
  background: BackgroundContext,
  messages: readonly Message[],
): Promise<void> {
  for (const message of messages) {
    try {
      await runQueuedJob(background, QueuedJob.parse(message.body));
    } catch (error) {
      reportError("work not done", { message: message.id, body: message.body }, error);
    }
    message.ack();
  }
}
