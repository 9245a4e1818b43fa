import { consumeEvents } from "./consumers/events.ts";
import { consumeMessages } from "./consumers/messages.ts";
import { consumeWork } from "./consumers/work.ts";
import { backgroundOf } from "./context.ts";
import type { BackgroundBindings } from "./env.ts";
import { runCron } from "./jobs/jobs.ts";
import { logged } from "./logged.ts";

export { Clock } from "./clock.ts";

const consumers: Readonly<Record<string, typeof consumeEvents>> = {
  "duka-messages": consumeMessages,
  "duka-work": consumeWork,
};

export default {
  async queue(batch: MessageBatch, env: BackgroundBindings) {
    const consume = consumers[batch.queue] ?? consumeEvents;
    const facts = { queue: batch.queue, messages: batch.messages.length };
    await logged(env, "batch", facts, () => consume(backgroundOf(env), batch.messages));
  },
  async scheduled(_controller: ScheduledController, env: BackgroundBindings) {
    await logged(env, "jobs", {}, () => runCron(backgroundOf(env)));
  },
} satisfies ExportedHandler<BackgroundBindings>;
