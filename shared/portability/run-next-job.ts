import { findRefusal } from "../kernel/index.ts";
import type { PortabilityContext } from "./context.ts";
import { runExport } from "./exports/run-export.ts";
import { runImport } from "./imports/run-import.ts";
import { isExport, isImport, type PortabilityJob } from "./job.ts";
import { jobRepo } from "./job-repo.ts";
import { partFiles } from "./part-files.ts";

/**
 * Advances the export or import that is due first. Returns whether there was one. Two runs may
 * overlap: the first to save its progress wins.
 */
export async function runNextJob(ctx: PortabilityContext): Promise<boolean> {
  const job = await jobRepo(ctx.core).claim(ctx.now());
  if (job === null) return false;
  try {
    await runJob(ctx, job);
  } catch (error) {
    if (findRefusal(error)?.code !== "CONFLICT") throw error;
  }
  return true;
}

async function runJob(ctx: PortabilityContext, job: PortabilityJob): Promise<void> {
  if (job.endedAt !== null) return deleteJob(ctx, job);
  if (isExport(job)) return runExport(ctx, job);
  if (isImport(job)) return runImport(ctx, job);
}

/** Deletes a job of 7 days ago with its file. Many parts take several runs. */
async function deleteJob(ctx: PortabilityContext, job: PortabilityJob): Promise<void> {
  if (await partFiles(ctx, job).deleteSome()) await jobRepo(ctx.core).delete(job);
}
