import { type BackgroundContext, reportError } from "../context.ts";
import { runJobGroup } from "../jobs/jobs.ts";
import { processDueSubscriptions } from "../jobs/renew-subscriptions.ts";
import { QueuedJob } from "../queued-job.ts";

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
      reportError("work not done", { message: message.id }, error);
    }
    message.ack();
  }
}

async function runQueuedJob(background: BackgroundContext, job: QueuedJob): Promise<void> {
  switch (job.type) {
    case "housekeeping":
      return runJobGroup(background, "housekeeping");
    case "renewals":
      return processDueSubscriptions(background, job.due);
  }
}
