import { raiseVersion } from "../../catalogue/index.ts";
import { type Context, commit } from "../../database/index.ts";
import type { NewStaffMember } from "./staff.ts";
import { type StaffRecord, staffRepo } from "./staff-repo.ts";

/** Takes somebody on who can give services (business-surface.md, Services and bookings). */
export async function createStaffMember(ctx: Context, input: NewStaffMember): Promise<StaffRecord> {
  const member = { ...input, id: ctx.newId("stf") };
  const now = ctx.now();
  await commit(ctx, {
    writes: [staffRepo(ctx).insert(member, now), raiseVersion(ctx)],
    audit: [{ action: "staff_member.created", entity: member.id, after: member }],
  });
  return { member, createdAt: now, updatedAt: now, archivedAt: null };
}
