import { changedMeanwhile, raiseVersion, retryRaces } from "../../catalogue/index.ts";
import { type Context, commit } from "../../database/index.ts";
import { nextUpdate } from "../../kernel/index.ts";
import { patchedMember, type StaffPatch } from "./staff.ts";
import { type StaffRecord, staffRepo } from "./staff-repo.ts";

/**
 * Changes the fields that are sent. Bookings that stand already stay, whoever works then.
 *
 * @throws Refusal NOT_FOUND for an archived one too.
 */
export function updateStaffMember(
  ctx: Context,
  id: string,
  patch: StaffPatch,
): Promise<StaffRecord> {
  const repo = staffRepo(ctx);
  return retryRaces(async () => {
    const record = await repo.get(id);
    const member = patchedMember(record.member, patch);
    const updatedAt = nextUpdate(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.update(record, member, updatedAt), raiseVersion(ctx)],
      audit: [{ action: "staff_member.updated", entity: id, before: record.member, after: member }],
      refusals: changedMeanwhile("staff", "staff member"),
    });
    return { ...record, member, updatedAt };
  });
}
