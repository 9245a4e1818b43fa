import { and, asc, eq, gt, isNull, type SQL } from "drizzle-orm";
import { type Context, updatedAtUnlessChanged, type Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { resources } from "../tables.ts";
import type { Resource } from "./resource.ts";

/** A resource with its timestamps. `updatedAt` detects concurrent changes. */
export type ResourceRecord = Readonly<{
  resource: Resource;
  createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
}>;

type ResourceRow = typeof resources.$inferSelect;

/** The resources of one business; each read is one round trip. */
export function resourceRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOwned = eq(resources.businessId, business.id);
  const isActive = and(isOwned, isNull(resources.archivedAt));

  async function requireOne(condition: SQL | undefined): Promise<ResourceRecord> {
    const [row] = await db.select().from(resources).where(condition);
    if (!row) throw notFound("resource");
    return toResourceRecord(row);
  }

  return {
    get: (id: string) => requireOne(and(isActive, eq(resources.id, id))),

    getEvenArchived: (id: string) => requireOne(and(isOwned, eq(resources.id, id))),

    /**
     * Lists resources, oldest first. `after` is the id of the last resource on the previous page.
     */
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
        .where(and(isActive, after === null ? undefined : gt(resources.id, after)))
        .orderBy(asc(resources.id))
        .limit(limit);
      return rows.map(toResourceRecord);
    },

    insert: (resource: Resource, now: number): Write =>
      db
        .insert(resources)
        .values({ ...resource, businessId: business.id, createdAt: now, updatedAt: now }),

    /**
     * Updates a resource. Violates NOT NULL of `resources.updated_at` when the row has changed
     * since it was read.
     */
    update: (before: ResourceRecord, { id, ...fields }: Resource, updatedAt: number): Write =>
      db
        .update(resources)
        .set({ ...fields, updatedAt: updatedAtUnlessChanged(resources, before, { updatedAt }) })
        .where(and(isOwned, eq(resources.id, id))),

    archive: (before: ResourceRecord, archivedAt: number): Write =>
      db
        .update(resources)
        .set({
          archivedAt,
          updatedAt: updatedAtUnlessChanged(resources, before, { updatedAt: archivedAt }),
        })
        .where(and(isOwned, eq(resources.id, before.resource.id))),
  };
}

export const toResource = ({ id, name, capacity }: ResourceRow): Resource => ({
  id,
  name,
  capacity,
});

const toResourceRecord = (row: ResourceRow): ResourceRecord => ({
  resource: toResource(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});
