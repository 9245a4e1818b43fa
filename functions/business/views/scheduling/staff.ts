import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import type { StaffRecord } from "../../../../shared/scheduling/index.ts";
import { ClosureView, viewClosures } from "../settings/location.ts";

const StaffHoursView = z.record(
  z.string(),
  z.array(z.object({ open: z.string(), close: z.string() })),
);

export const StaffView = z
  .object({
    id: z.string(),
    name: z.string(),
    hours: StaffHoursView.nullable(),
    time_off: z.array(ClosureView),
    created_at: z.string(),
    updated_at: z.string(),
    archived_at: z.string().nullable(),
  })
  .openapi("StaffMember");

export const viewStaff = ({
  member,
  createdAt,
  updatedAt,
  archivedAt,
}: StaffRecord): z.infer<typeof StaffView> => ({
  id: member.id,
  name: member.name,
  hours:
    member.hours &&
    Object.fromEntries(
      Object.entries(member.hours).map(([weekday, hours]) => [weekday, [...hours]]),
    ),
  time_off: viewClosures(member.timeOff),
  created_at: iso(createdAt),
  updated_at: iso(updatedAt),
  archived_at: isoOrNull(archivedAt),
});
