import { consumeEvents } from "./consumers/events.ts";
import { consumeMessages } from "./consumers/messages.ts";
import { consumeWork } from "./consumers/work.ts";
import { backgroundOf } from "./context.ts";
import type { BackgroundBindings } from "./env.ts";
import { runCron } from "./jobs/jobs.ts";
import { logged } from "./logged.ts";

const consumers: Readonly<Record<string, typeof consumeEvents>> = {
  "duka-messages": consumeMessages,
  "duka-work": consumeWork,
};

/** Works off a batch of the queue that it comes from. */
export async function consume(batch: MessageBatch, env: BackgroundBindings): Promise<void> {
  const consumer = consumers[batch.queue] ?? consumeEvents;
  const facts = { queue: batch.queue, messages: batch.messages.length };
  await logged(env, "batch", facts, () => consumer(backgroundOf(env), batch.messages));
}

/** What is due by now. */
export const runJobs = (env: BackgroundBindings): Promise<void> => runCron(backgroundOf(env));

/** As `runJobs`, with a line in the log. */
export const runLoggedJobs = (env: BackgroundBindings): Promise<void> =>
  logged(env, "jobs", {}, () => runJobs(env));
