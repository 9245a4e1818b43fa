import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import type { ResourceRecord } from "../../../../shared/scheduling/index.ts";

export const ResourceView = z
  .object({
    id: z.string(),
    name: z.string(),
    capacity: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
    archived_at: z.string().nullable(),
  })
  .openapi("Resource");

export const viewResource = ({
  resource,
  createdAt,
  updatedAt,
  archivedAt,
}: ResourceRecord): z.infer<typeof ResourceView> => ({
  id: resource.id,
  name: resource.name,
  capacity: resource.capacity,
  created_at: iso(createdAt),
  updated_at: iso(updatedAt),
  archived_at: isoOrNull(archivedAt),
});
