import { WorkerEntrypoint } from "cloudflare:workers";
import { backgroundOf } from "./context.ts";
import type { BackgroundBindings } from "./env.ts";
import { runCron } from "./jobs/jobs.ts";

/** The minute's tick over a service binding, for the local runtime, which fires no cron. */
export class Clock extends WorkerEntrypoint<BackgroundBindings> {
  async tick(): Promise<void> {
    await runCron(backgroundOf(this.env));
  }
}
