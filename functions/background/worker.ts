import type { BackgroundBindings } from "./env.ts";

export { Clock } from "./clock.ts";

/** Loaded with the first batch or the first minute, so that the Worker starts at once. */
const handlers = () => import("./handlers.ts");

export default {
  async queue(batch: MessageBatch, env: BackgroundBindings) {
    await (await handlers()).consume(batch, env);
  },
  async scheduled(_controller: ScheduledController, env: BackgroundBindings) {
    await (await handlers()).runLoggedJobs(env);
  },
} satisfies ExportedHandler<BackgroundBindings>;
