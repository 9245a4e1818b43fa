import { WorkerEntrypoint } from "cloudflare:workers";
import type { BackgroundBindings } from "./env.ts";

/**
 * Runs the minute's jobs in development, where cron triggers the front Worker only. The front calls
 * this class over a service binding.
 */
export class LocalCron extends WorkerEntrypoint<BackgroundBindings> {
  async runJobs(): Promise<void> {
    await (await import("./handlers.ts")).runJobs(this.env);
  }
}
