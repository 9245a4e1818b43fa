import { consumeEvents } from "./consumers/events.ts";
import { consumeMessages } from "./consumers/messages.ts";
import { backgroundOf } from "./context.ts";
import type { BackgroundBindings } from "./env.ts";
import { runJobs } from "./jobs/jobs.ts";

export { Clock } from "./clock.ts";

export default {
  async queue(batch: MessageBatch, env: BackgroundBindings) {
    const consume = batch.queue === "duka-messages" ? consumeMessages : consumeEvents;
    await consume(backgroundOf(env), batch.messages);
  },
  async scheduled(_controller: ScheduledController, env: BackgroundBindings) {
    await runJobs(backgroundOf(env));
  },
} satisfies ExportedHandler<BackgroundBindings>;
