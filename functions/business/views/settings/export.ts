import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import {
  jobStatuses,
  jobTtlMs,
  type PortabilityJob,
} from "../../../../shared/portability/index.ts";

export const ExportView = z
  .object({
    id: z.string(),
    status: z.enum(jobStatuses),
    row_count: z.number().int(),
    size_bytes: z.number().int(),
    url: z.string().nullable(),
    error: z.string().nullable(),
    created_at: z.string(),
    completed_at: z.string().nullable(),
    expires_at: z.string().nullable(),
  })
  .openapi("BusinessExport");

/** @param origin of the request, where the file is downloaded. */
export function viewExport(job: PortabilityJob, origin: string): z.infer<typeof ExportView> {
  const { id, businessId, status, rows, bytes, failure, createdAt, endedAt } = job;
  const isCompleted = status === "completed";
  return {
    id,
    status,
    row_count: rows,
    size_bytes: bytes,
    url: isCompleted ? `${origin}/v1/businesses/${businessId}/exports/${id}/file` : null,
    error: failure?.reason ?? null,
    created_at: iso(createdAt),
    completed_at: isCompleted ? isoOrNull(endedAt) : null,
    expires_at: isCompleted && endedAt !== null ? iso(endedAt + jobTtlMs) : null,
  };
}
