import { archiveRecord, changedMeanwhile } from "../../catalogue/index.ts";
import type { Context } from "../../database/index.ts";
import { type StaffRecord, staffRepo } from "./staff-repo.ts";

/**
 * Somebody gives no services any more; done twice it is done once. Their bookings stay. A service
 * that nobody else gives cannot be booked until it names others, or none.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveStaffMember = (ctx: Context, id: string): Promise<StaffRecord> =>
  archiveRecord(ctx, id, {
    repo: staffRepo(ctx),
    action: "staff_member.archived",
    before: ({ member }) => member,
    refusals: changedMeanwhile("staff", "staff member"),
  });
