import { and, asc, eq, gt, isNull, type SQL } from "drizzle-orm";
import { changedSince } from "../../catalogue/index.ts";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { resources } from "../tables.ts";
import type { Resource } from "./resource.ts";

/** A resource as its merchant sees it, with what a change is guarded by. */
export type ResourceRecord = Readonly<{
  resource: Resource;
  createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
}>;

type ResourceRow = typeof resources.$inferSelect;

/** A merchant's resources; each read is one round trip. */
export function resourceRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = eq(resources.businessId, business.id);
  const live = and(own, isNull(resources.archivedAt));

  async function one(condition: SQL | undefined): Promise<ResourceRecord> {
    const [row] = await db.select().from(resources).where(condition);
    if (!row) throw notFound("resource");
    return recordFrom(row);
  }

  return {
    get: (id: string) => one(and(live, eq(resources.id, id))),

    getEvenArchived: (id: string) => one(and(own, eq(resources.id, id))),

    /** In the order of creation; `after` is the id of the last one seen. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<ResourceRecord[]> {
      const rows = await db
        .select()
        .from(resources)
        .where(and(live, after === null ? undefined : gt(resources.id, after)))
        .orderBy(asc(resources.id))
        .limit(limit);
      return rows.map(recordFrom);
    },

    insert: (resource: Resource, now: number): Write =>
      db
        .insert(resources)
        .values({ ...resource, businessId: business.id, createdAt: now, updatedAt: now }),

    /** Fails on `resources.updated_at` when the row is not as it was read. */
    update: (before: ResourceRecord, { id, ...fields }: Resource, updatedAt: number): Write =>
      db
        .update(resources)
        .set({ ...fields, updatedAt: changedSince(resources, before, { updatedAt }) })
        .where(and(own, eq(resources.id, id))),

    archive: (before: ResourceRecord, archivedAt: number): Write =>
      db
        .update(resources)
        .set({ archivedAt, updatedAt: changedSince(resources, before, { updatedAt: archivedAt }) })
        .where(and(own, eq(resources.id, before.resource.id))),
  };
}

export const resourceFrom = ({ id, name, capacity }: ResourceRow): Resource => ({
  id,
  name,
  capacity,
});

const recordFrom = (row: ResourceRow): ResourceRecord => ({
  resource: resourceFrom(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});
