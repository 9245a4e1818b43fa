import { raiseCatalogueVersion } from "../../catalogue/index.ts";
import {
  archiveRecord,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../../database/index.ts";
import { applyStaffPatch, type NewStaffMember, type StaffPatch } from "./staff.ts";
import { type StaffRecord, staffRepo } from "./staff-repo.ts";

/** Adds a staff member. Services can then list their id. */
export async function createStaffMember(ctx: Context, input: NewStaffMember): Promise<StaffRecord> {
  const member = { ...input, id: ctx.newId("stf") };
  const now = ctx.now();
  await commit(ctx, {
    writes: [staffRepo(ctx).insert(member, now), raiseCatalogueVersion(ctx)],
    audit: [{ action: "staff_member.created", entity: member.id, after: member }],
  });
  return { member, createdAt: now, updatedAt: now, archivedAt: null };
}

/**
 * Changes the fields in the patch. Bookings stay valid, even outside the new working hours.
 *
 * @throws Refusal NOT_FOUND, also for an archived staff member.
 */
export function updateStaffMember(
  ctx: Context,
  id: string,
  patch: StaffPatch,
): Promise<StaffRecord> {
  const repo = staffRepo(ctx);
  return retryOnConflict(async () => {
    const record = await repo.get(id);
    const member = applyStaffPatch(record.member, patch);
    const updatedAt = nextUpdatedAt(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.update(record, member, updatedAt), raiseCatalogueVersion(ctx)],
      audit: [{ action: "staff_member.updated", entity: id, before: record.member, after: member }],
      refusals: staleWriteRefusal("staff", "staff member"),
    });
    return { ...record, member, updatedAt };
  });
}

/**
 * Archives a staff member. Their bookings stay valid. A service that lists only archived staff
 * cannot be booked until its list is changed. A second call changes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveStaffMember = (ctx: Context, id: string): Promise<StaffRecord> =>
  archiveRecord(ctx, id, {
    repo: staffRepo(ctx),
    writes: [raiseCatalogueVersion(ctx)],
    action: "staff_member.archived",
    before: ({ member }) => member,
    refusals: staleWriteRefusal("staff", "staff member"),
  });
