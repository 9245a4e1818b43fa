import { commitToCore, type MerchantContext } from "../../businesses/index.ts";
import { conflict } from "../../kernel/index.ts";
import { type ExportJob, firstExportPosition, isExport } from "../job.ts";
import { jobRepo } from "../job-repo.ts";

/**
 * Queues an export of everything that the business has, which the job writes. Returns the open
 * export when there is one.
 *
 * @throws Refusal CONFLICT while the business is imported or moved.
 */
export async function requestExport(ctx: MerchantContext): Promise<ExportJob> {
  const open = await jobRepo(ctx.core).findOpen(ctx.business.id);
  if (open && isExport(open)) return open;
  if (open) throw conflict("A file is being imported into the business. Try again when it ends.");
  const at = ctx.now();
  const job: ExportJob = {
    id: ctx.newId("exp"),
    businessId: ctx.business.id,
    kind: "export",
    status: "queued",
    position: firstExportPosition,
    ...{ rows: 0, bytes: 0, failure: null, tries: 0, version: 0 },
    ...{ dueAt: at, createdAt: at, startedAt: null, endedAt: null },
  };
  await commitToCore(ctx, {
    writes: [jobRepo(ctx.core).insert(job)],
    audit: { action: "business.export_requested", entity: job.id },
  });
  return job;
}
