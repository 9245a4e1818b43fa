import { WorkerEntrypoint } from "cloudflare:workers";
import type { BackgroundBindings } from "./env.ts";

/** Runs the minute's jobs over a service binding in development, where cron is not triggered here. */
export class LocalCron extends WorkerEntrypoint<BackgroundBindings> {
  async runJobs(): Promise<void> {
    await (await import("./handlers.ts")).runJobs(this.env);
  }
}
