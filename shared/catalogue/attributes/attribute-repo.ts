import { and, asc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { collections } from "../collections/tables.ts";
import { changedSince } from "../products/product-write-repo.ts";
import { categories } from "../tables.ts";
import type { Attribute, AttributeOwner } from "./attribute.ts";
import { attributes } from "./tables.ts";

/** An attribute as its merchant sees it, with what a change of it is guarded by. */
export type AttributeRecord = Readonly<{
  attribute: Attribute;
  updatedAt: number;
  archivedAt: number | null;
}>;

type AttributeRow = typeof attributes.$inferSelect;

/** A merchant's attributes; each read is one round trip. */
export function attributeRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = eq(attributes.businessId, business.id);
  const live = and(own, isNull(attributes.archivedAt));

  const query = (condition: SQL | undefined) => db.select().from(attributes).where(condition);

  const owners = (owner: AttributeOwner | undefined) =>
    db.select({ id: sql<string>`owner.id` }).from(sql`(
      select id from ${categories} where id = ${owner?.categoryId ?? null}
        and +business_id = ${business.id} and archived_at is null
      union all
      select id from ${collections} where id = ${owner?.collectionId ?? null}
        and +business_id = ${business.id} and archived_at is null) as owner`);

  return {
    async get(id: string): Promise<AttributeRecord> {
      const [row] = await query(and(live, eq(attributes.id, id)));
      if (!row) throw notFound("attribute");
      return recordFrom(row);
    },

    async getEvenArchived(id: string): Promise<AttributeRecord> {
      const [row] = await query(and(own, eq(attributes.id, id)));
      if (!row) throw notFound("attribute");
      return recordFrom(row);
    },

    /** With whether the owner that it is to have is there. */
    async getForUpdate(
      id: string,
      owner: AttributeOwner | undefined,
    ): Promise<{ record: AttributeRecord; hasOwner: boolean }> {
      const [[row], found] = await db.batch([
        query(and(live, eq(attributes.id, id))),
        owners(owner),
      ]);
      if (!row) throw notFound("attribute");
      return { record: recordFrom(row), hasOwner: found.length > 0 };
    },

    hasOwner: async (owner: AttributeOwner): Promise<boolean> => (await owners(owner)).length > 0,

    /** In the order of creation. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<AttributeRecord[]> {
      const rows = await query(and(live, after === null ? undefined : gt(attributes.id, after)))
        .orderBy(asc(attributes.id))
        .limit(limit);
      return rows.map(recordFrom);
    },

    insert: ({ owner, ...fields }: Attribute, now: number): Write =>
      db
        .insert(attributes)
        .values({ ...fields, ...owner, businessId: business.id, createdAt: now, updatedAt: now }),

    /** Fails on `attributes.updated_at` when the row is not as it was read. */
    update: (
      before: AttributeRecord,
      { id, owner, ...fields }: Attribute,
      updatedAt: number,
    ): Write =>
      db
        .update(attributes)
        .set({ ...fields, ...owner, updatedAt: changedSince(attributes, before, { updatedAt }) })
        .where(and(own, eq(attributes.id, id))),

    archive: (before: AttributeRecord, updatedAt: number): Write =>
      db
        .update(attributes)
        .set({ archivedAt: updatedAt, updatedAt: changedSince(attributes, before, { updatedAt }) })
        .where(and(own, eq(attributes.id, before.attribute.id))),
  };
}

export function attributeFrom(row: AttributeRow): Attribute {
  const { businessId: _, archivedAt: __, createdAt: ___, updatedAt: ____, ...columns } = row;
  const { categoryId, collectionId, ...fields } = columns;
  const owner =
    categoryId === null
      ? { categoryId: null, collectionId: collectionId ?? "" } // the table's check: one of them is there
      : { categoryId, collectionId: null };
  return { ...fields, owner };
}

const recordFrom = (row: AttributeRow): AttributeRecord => ({
  attribute: attributeFrom(row),
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});
