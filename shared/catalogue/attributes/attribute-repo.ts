import { and, asc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import {
  type Context,
  isRowOfBusiness,
  updatedAtUnlessChanged,
  type Write,
} from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import {
  type AtVersion,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "../catalogue-version-repo.ts";
import { collectionByIdOrSlug } from "../collections/collection-list-query.ts";
import { collections } from "../collections/tables.ts";
import { categories } from "../tables.ts";
import type { Attribute, AttributeOwner } from "./attribute.ts";
import { attributes } from "./tables.ts";

/** An attribute as the merchant sees it. The times are used to detect concurrent changes. */
export type AttributeRecord = Readonly<{
  attribute: Attribute;
  updatedAt: number;
  archivedAt: number | null;
}>;

type AttributeRow = typeof attributes.$inferSelect;

/** Reads and writes a merchant's attributes; each read is one round trip. */
export function attributeRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOwned = eq(attributes.businessId, business.id);
  const isLive = and(isOwned, isNull(attributes.archivedAt));

  const selectAttributes = (condition: SQL | undefined) =>
    db.select().from(attributes).where(condition);

  const selectLiveOwner = (owner: AttributeOwner | undefined) =>
    db.select({ id: sql<string>`owner.id` }).from(sql`(
      select id from ${categories} where id = ${owner?.categoryId ?? null}
        and +business_id = ${business.id} and archived_at is null
      union all
      select id from ${collections} where id = ${owner?.collectionId ?? null}
        and +business_id = ${business.id} and archived_at is null) as owner`);

  return {
    async get(id: string): Promise<AttributeRecord> {
      return requireRecord(await selectAttributes(and(isLive, eq(attributes.id, id))));
    },

    async getEvenArchived(id: string): Promise<AttributeRecord> {
      return requireRecord(await selectAttributes(and(isOwned, eq(attributes.id, id))));
    },

    /** Reads an attribute for an update, and whether its new owner exists. */
    async getForUpdate(
      id: string,
      newOwner: AttributeOwner | undefined,
    ): Promise<{ record: AttributeRecord; ownerExists: boolean }> {
      const [rows, owners] = await db.batch([
        selectAttributes(and(isLive, eq(attributes.id, id))),
        selectLiveOwner(newOwner),
      ]);
      return { record: requireRecord(rows), ownerExists: owners.length > 0 };
    },

    ownerExists: async (owner: AttributeOwner): Promise<boolean> =>
      (await selectLiveOwner(owner)).length > 0,

    /** Lists attributes in the order of creation. `after` is the last id of the previous page. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<AttributeRecord[]> {
      const rows = await selectAttributes(
        and(isLive, after === null ? undefined : gt(attributes.id, after)),
      )
        .orderBy(asc(attributes.id))
        .limit(limit);
      return rows.map(toRecord);
    },

    insert: ({ owner, ...fields }: Attribute, now: number): Write =>
      db
        .insert(attributes)
        .values({ ...fields, ...owner, businessId: business.id, createdAt: now, updatedAt: now }),

    /** Fails on `attributes.updated_at` when the row has changed since it was read. */
    update: (
      before: AttributeRecord,
      { id, owner, ...fields }: Attribute,
      updatedAt: number,
    ): Write =>
      db
        .update(attributes)
        .set({
          ...fields,
          ...owner,
          updatedAt: updatedAtUnlessChanged(attributes, before, { updatedAt }),
        })
        .where(and(isOwned, eq(attributes.id, id))),

    archive: (before: AttributeRecord, updatedAt: number): Write =>
      db
        .update(attributes)
        .set({
          archivedAt: updatedAt,
          updatedAt: updatedAtUnlessChanged(attributes, before, { updatedAt }),
        })
        .where(and(isOwned, eq(attributes.id, before.attribute.id))),
  };
}

/**
 * The attributes of a category that shoppers see, in one round trip; null for an unknown category.
 */
export function listCategoryAttributes(
  reader: CatalogueReader,
  categoryId: string,
): Promise<AtVersion<Attribute[] | null>> {
  const isCategory = and(
    eq(categories.id, categoryId),
    isRowOfBusiness(categories.businessId, reader.business),
    isNull(categories.archivedAt),
  );
  const ownerIdQuery = sql`select ${categories.id} from ${categories} where ${isCategory}`;
  return listOwnerAttributes(
    reader,
    ownerIdQuery,
    sql`${attributes.categoryId} in (${ownerIdQuery})`,
  );
}

/**
 * The attributes of a collection that shoppers see, in one round trip; null for an unknown
 * collection.
 */
export function listCollectionAttributes(
  reader: CatalogueReader,
  idOrSlug: string,
): Promise<AtVersion<Attribute[] | null>> {
  const isCollection = and(
    collectionByIdOrSlug(reader.business, idOrSlug),
    isNull(collections.archivedAt),
  );
  const ownerIdQuery = sql`select ${collections.id} from ${collections} where ${isCollection}`;
  return listOwnerAttributes(
    reader,
    ownerIdQuery,
    sql`${attributes.collectionId} in (${ownerIdQuery})`,
  );
}

async function listOwnerAttributes(
  { db, business }: CatalogueReader,
  ownerIdQuery: SQL,
  isOwned: SQL,
): Promise<AtVersion<Attribute[] | null>> {
  const [versionRows, owners, rows] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db.select({ id: sql<string>`owner.id` }).from(sql`(${ownerIdQuery}) as owner`),
    db
      .select()
      .from(attributes)
      .where(
        and(
          isOwned,
          isRowOfBusiness(attributes.businessId, business),
          isNull(attributes.archivedAt),
        ),
      )
      .orderBy(asc(attributes.id)),
  ]);
  const data = owners.length === 0 ? null : rows.map(toAttribute);
  return { version: parseVersion(versionRows), data };
}

function toAttribute(row: AttributeRow): Attribute {
  const { businessId: _, archivedAt: __, createdAt: ___, updatedAt: ____, ...columns } = row;
  const { categoryId, collectionId, ...fields } = columns;
  const owner =
    categoryId === null
      ? { categoryId: null, collectionId: collectionId ?? "" } // a CHECK requires exactly one of them
      : { categoryId, collectionId: null };
  return { ...fields, owner };
}

function requireRecord([row]: readonly AttributeRow[]): AttributeRecord {
  if (!row) throw notFound("attribute");
  return toRecord(row);
}

const toRecord = (row: AttributeRow): AttributeRecord => ({
  attribute: toAttribute(row),
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
});
