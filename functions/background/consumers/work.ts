import { type Background, report } from "../context.ts";
import { runJobs } from "../jobs/jobs.ts";
import { lookAfterAll } from "../jobs/renew-subscriptions.ts";
import { Work } from "../work.ts";

/** What cron left to do. A message is never told again: cron finds what its work did not get done. */
export async function consumeWork(
  background: Background,
  messages: readonly Message[],
): Promise<void> {
  for (const message of messages) {
    try {
      await done(background, Work.parse(message.body));
    } catch (error) {
      report("work not done", { message: message.id }, error);
    }
    message.ack();
  }
}

async function done(background: Background, work: Work): Promise<void> {
  switch (work.type) {
    case "housekeeping":
      return runJobs(background, "housekeeping");
    case "renewals":
      return lookAfterAll(background, work.due);
  }
}
