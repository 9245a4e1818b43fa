import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import { jobStatuses, type PortabilityJob } from "../../../../shared/portability/index.ts";

export const BusinessImportView = z
  .object({
    id: z.string(),
    status: z.enum(jobStatuses),
    row_count: z.number().int(),
    size_bytes: z.number().int(),
    error: z.object({ line: z.number().int().nullable(), reason: z.string() }).nullable(),
    created_at: z.string(),
    completed_at: z.string().nullable(),
  })
  .openapi("BusinessImport");

export const viewBusinessImport = (job: PortabilityJob): z.infer<typeof BusinessImportView> => ({
  id: job.id,
  status: job.status,
  row_count: job.rows,
  size_bytes: job.bytes,
  error: job.failure,
  created_at: iso(job.createdAt),
  completed_at: job.status === "completed" ? isoOrNull(job.endedAt) : null,
});
