import { and, asc, eq, gt, isNull, type SQL } from "drizzle-orm";
import { type Context, updatedAtUnlessChanged, type Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { staff } from "../tables.ts";
import type { StaffMember } from "./staff.ts";

/** A staff member with their timestamps. `updatedAt` detects concurrent changes. */
export type StaffRecord = Readonly<{
  member: StaffMember;
  createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
}>;

type StaffRow = typeof staff.$inferSelect;

/** The staff of one business; each read is one round trip. */
export function staffRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOwned = eq(staff.businessId, business.id);
  const isActive = and(isOwned, isNull(staff.archivedAt));

  async function requireOne(condition: SQL | undefined): Promise<StaffRecord> {
    const [row] = await db.select().from(staff).where(condition);
    if (!row) throw notFound("staff member");
    return toStaffRecord(row);
  }

  return {
    get: (id: string) => requireOne(and(isActive, eq(staff.id, id))),

    getEvenArchived: (id: string) => requireOne(and(isOwned, eq(staff.id, id))),

    /**
     * Lists staff members, oldest first. `after` is the id of the last one on the previous page.
     */
    async list({ limit, after }: { limit: number; after: string | null }): Promise<StaffRecord[]> {
      const rows = await db
        .select()
        .from(staff)
        .where(and(isActive, after === null ? undefined : gt(staff.id, after)))
        .orderBy(asc(staff.id))
        .limit(limit);
      return rows.map(toStaffRecord);
    },

    insert: (member: StaffMember, now: number): Write =>
      db
        .insert(staff)
        .values({ ...member, businessId: business.id, createdAt: now, updatedAt: now }),

    /**
     * Updates a staff member. Violates NOT NULL of `staff.updated_at` when the row has changed
     * since it was read.
     */
    update: (before: StaffRecord, { id, ...fields }: StaffMember, updatedAt: number): Write =>
      db
        .update(staff)
        .set({ ...fields, updatedAt: updatedAtUnlessChanged(staff, before, { updatedAt }) })
        .where(and(isOwned, eq(staff.id, id))),

    archive: (before: StaffRecord, archivedAt: number): Write =>
      db
        .update(staff)
        .set({
          archivedAt,
          updatedAt: updatedAtUnlessChanged(staff, before, { updatedAt: archivedAt }),
        })
        .where(and(isOwned, eq(staff.id, before.member.id))),
  };
}

export const toStaffMember = ({ id, name, hours, timeOff }: StaffRow): StaffMember => ({
  id,
  name,
  hours,
  timeOff,
});

const toStaffRecord = (row: StaffRow): StaffRecord => ({
  member: toStaffMember(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});
