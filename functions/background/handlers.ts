import { type Facts, log } from "../runtime/log.ts";
import { handOverSums } from "../runtime/metrics/hand-over.ts";
import { runtime } from "../runtime/runtime.ts";
import { settingsOf } from "../runtime/settings.ts";
import { keepDeadLetters } from "./consumers/dead-letters.ts";
import { consumeEvents } from "./consumers/events.ts";
import { consumeMessages } from "./consumers/messages.ts";
import { consumeQueuedJobs } from "./consumers/queued-jobs.ts";
import { createBackground } from "./context.ts";
import type { BackgroundBindings } from "./env.ts";
import { runCron } from "./runs/run-job.ts";

const consumers: Readonly<Record<string, typeof consumeEvents>> = {
  "duka-messages": consumeMessages,
  "duka-events-dead": keepDeadLetters,
};

/** Passes a batch of messages to the consumer of their queue. */
export async function consume(batch: MessageBatch, env: BackgroundBindings): Promise<void> {
  try {
    await consumeLogged(batch, env);
  } finally {
    if (settingsOf(env).metricsIntervalMs > 0) await handOverSums(env);
  }
}

async function consumeLogged(batch: MessageBatch, env: BackgroundBindings): Promise<void> {
  const queue = queueIn(batch.queue);
  // Each job logs its own line.
  if (queue === "duka-work") return consumeQueuedJobs(createBackground(env), batch.messages);
  const consumer = consumers[queue] ?? consumeEvents;
  const facts = { queue: batch.queue, messages: batch.messages.length };
  await runLogged(env, "batch", facts, () => consumer(createBackground(env), batch.messages));
}

/** The name without that of an environment: `duka-work-staging` is `duka-work` of staging. */
const queueIn = (name: string): string => /^duka-[a-z]+(?:-dead)?/.exec(name)?.[0] ?? name;

export const runJobs = (env: BackgroundBindings): Promise<void> => runCron(createBackground(env));

/** Like `runJobs`, but also logs the run. */
export const runLoggedJobs = (env: BackgroundBindings): Promise<void> =>
  runLogged(env, "jobs", {}, () => runJobs(env));

/** Runs the work and logs its outcome and duration, if the deployment logs requests. */
async function runLogged(
  env: object,
  what: string,
  facts: Facts,
  work: () => Promise<void>,
): Promise<void> {
  const startedAt = runtime.now();
  let isDone = false;
  try {
    await work();
    isDone = true;
  } finally {
    const line = { ...facts, is_done: isDone, duration_ms: runtime.now() - startedAt };
    if (settingsOf(env).logsRequests) log(isDone ? "info" : "error", what, line);
  }
}
