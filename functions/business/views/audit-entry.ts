import { z } from "@hono/zod-openapi";
import type { AuditEntry } from "../../../shared/database/index.ts";
import { iso } from "../../../shared/kernel/index.ts";

export const AuditEntryView = z
  .object({
    id: z.string(),
    at: z.string(),
    actor: z.string(),
    action: z.string(),
    entity: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  })
  .openapi("AuditEntry");
export type AuditEntryView = z.infer<typeof AuditEntryView>;

/** Before and after are the record as it is kept (amounts in minor units, times in milliseconds). */
export const viewAuditEntry = ({
  id,
  at,
  actor,
  action,
  entity,
  before,
  after,
}: AuditEntry): AuditEntryView => ({
  id,
  at: iso(at),
  actor,
  action,
  entity,
  before: snakeCased(before),
  after: snakeCased(after),
});

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/(?<=[a-z0-9])[A-Z](?=[a-z])/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(inner),
    ]),
  );
}
