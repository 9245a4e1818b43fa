import { and, asc, eq, gt, isNull, type SQL } from "drizzle-orm";
import { changedSince } from "../../catalogue/index.ts";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { staff } from "../tables.ts";
import type { StaffMember } from "./staff.ts";

/** A staff member as their merchant sees them, with what a change is guarded by. */
export type StaffRecord = Readonly<{
  member: StaffMember;
  createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
}>;

type StaffRow = typeof staff.$inferSelect;

/** A merchant's staff; each read is one round trip. */
export function staffRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = eq(staff.businessId, business.id);
  const live = and(own, isNull(staff.archivedAt));

  async function one(condition: SQL | undefined): Promise<StaffRecord> {
    const [row] = await db.select().from(staff).where(condition);
    if (!row) throw notFound("staff member");
    return recordFrom(row);
  }

  return {
    get: (id: string) => one(and(live, eq(staff.id, id))),

    getEvenArchived: (id: string) => one(and(own, eq(staff.id, id))),

    /** In the order of creation; `after` is the id of the last one seen. */
    async list({ limit, after }: { limit: number; after: string | null }): Promise<StaffRecord[]> {
      const rows = await db
        .select()
        .from(staff)
        .where(and(live, after === null ? undefined : gt(staff.id, after)))
        .orderBy(asc(staff.id))
        .limit(limit);
      return rows.map(recordFrom);
    },

    insert: (member: StaffMember, now: number): Write =>
      db
        .insert(staff)
        .values({ ...member, businessId: business.id, createdAt: now, updatedAt: now }),

    /** Fails on `staff.updated_at` when the row is not as it was read. */
    update: (before: StaffRecord, { id, ...fields }: StaffMember, updatedAt: number): Write =>
      db
        .update(staff)
        .set({ ...fields, updatedAt: changedSince(staff, before, { updatedAt }) })
        .where(and(own, eq(staff.id, id))),

    archive: (before: StaffRecord, archivedAt: number): Write =>
      db
        .update(staff)
        .set({ archivedAt, updatedAt: changedSince(staff, before, { updatedAt: archivedAt }) })
        .where(and(own, eq(staff.id, before.member.id))),
  };
}

export const staffMemberFrom = ({ id, name, hours, timeOff }: StaffRow): StaffMember => ({
  id,
  name,
  hours,
  timeOff,
});

const recordFrom = (row: StaffRow): StaffRecord => ({
  member: staffMemberFrom(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});
