import { WorkerEntrypoint } from "cloudflare:workers";
import type { BackgroundBindings } from "./env.ts";

/** The minute's tick over a service binding, for the local runtime, which fires no cron. */
export class Clock extends WorkerEntrypoint<BackgroundBindings> {
  async tick(): Promise<void> {
    await (await import("./handlers.ts")).runJobs(this.env);
  }
}
