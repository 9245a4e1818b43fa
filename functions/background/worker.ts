import type { BackgroundBindings } from "./env.ts";

export { LocalCron } from "./local-cron.ts";

/** Imports the handlers with the first batch or cron run, so that the Worker starts fast. */
const loadHandlers = () => import("./handlers.ts");

export default {
  async queue(batch: MessageBatch, env: BackgroundBindings) {
    await (await loadHandlers()).consume(batch, env);
  },
  async scheduled(_controller: ScheduledController, env: BackgroundBindings) {
    await (await loadHandlers()).runLoggedJobs(env);
  },
} satisfies ExportedHandler<BackgroundBindings>;
