import { raiseVersion, retryRaces } from "../catalogue/index.ts";
import { type Context, commit } from "../database/index.ts";
import { type StaffRecord, staffRepo } from "./staff-repo.ts";
import { staffChanged } from "./update-staff-member.ts";

/**
 * Somebody gives no services any more; done twice it is done once. Their bookings stay. A service
 * that nobody else gives cannot be booked until it names others, or none.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveStaffMember(ctx: Context, id: string): Promise<StaffRecord> {
  const repo = staffRepo(ctx);
  return retryRaces(async () => {
    const record = await repo.getEvenArchived(id);
    if (record.archivedAt !== null) return record;
    const archivedAt = Math.max(ctx.now(), record.updatedAt + 1);
    await commit(ctx, {
      writes: [repo.archive(record, archivedAt), raiseVersion(ctx)],
      audit: [{ action: "staff_member.archived", entity: id, before: record.member }],
      refusals: { "staff.updated_at": staffChanged },
    });
    return { ...record, updatedAt: archivedAt, archivedAt };
  });
}
