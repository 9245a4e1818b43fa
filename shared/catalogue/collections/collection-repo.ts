import { and, asc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, updatedAtUnlessChanged, type Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { isSlugCandidate } from "../slug-query.ts";
import { products } from "../tables.ts";
import type { Collection } from "./collection.ts";
import { memberCount } from "./collection-members-query.ts";
import { collectionProducts, collections } from "./tables.ts";

/** A collection as the merchant sees it. The times are used to detect concurrent changes. */
export type CollectionRecord = Readonly<{
  collection: Collection;
  productCount: number;
  updatedAt: number;
  archivedAt: number | null;
}>;

/** The sort values of the last collection on the previous page. */
export type CollectionCursor = Readonly<{ sortOrder: number; id: string }>;

type CollectionRow = typeof collections.$inferSelect & {
  productIds: string;
  productCount: number;
};
type CollectionContext = Pick<Context, "db" | "business">;

/** Reads a merchant's collections; each read is one round trip. */
export function collectionRepo(ctx: CollectionContext) {
  const { db, business } = ctx;
  const isOwned = eq(collections.businessId, business.id);
  const isLive = and(isOwned, isNull(collections.archivedAt));

  const selectCollections = (condition: SQL | undefined) =>
    db
      .select({
        ...getTableColumns(collections),
        productIds: listedProductIds,
        productCount: memberCount(business),
      })
      .from(collections)
      .where(condition);

  return {
    async get(id: string): Promise<CollectionRecord> {
      return requireRecord(await selectCollections(and(isLive, eq(collections.id, id))));
    },

    async getEvenArchived(id: string): Promise<CollectionRecord> {
      return requireRecord(await selectCollections(and(isOwned, eq(collections.id, id))));
    },

    /** Reads a collection for an update, and which of these product ids do not exist. */
    async getForUpdate(
      id: string,
      productIds: readonly string[],
    ): Promise<{ record: CollectionRecord; unknownProductIds: string[] }> {
      const [rows, unknown] = await db.batch([
        selectCollections(and(isLive, eq(collections.id, id))),
        selectUnknownProducts(ctx, productIds),
      ]);
      return { record: requireRecord(rows), unknownProductIds: unknown.map((row) => row.id) };
    },

    /** Reads the taken slugs and which product ids do not exist, to check a new collection. */
    async findForInsert(
      slug: string,
      productIds: readonly string[],
    ): Promise<{ takenSlugs: string[]; unknownProductIds: string[] }> {
      const [slugs, unknown] = await db.batch([
        db
          .select({ slug: collections.slug })
          .from(collections)
          .where(and(isLive, isSlugCandidate(collections.slug, slug))),
        selectUnknownProducts(ctx, productIds),
      ]);
      return {
        takenSlugs: slugs.map((row) => row.slug),
        unknownProductIds: unknown.map((row) => row.id),
      };
    },

    /** Lists collections in display order. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: CollectionCursor | null;
    }): Promise<CollectionRecord[]> {
      const isAfter =
        after === null
          ? undefined
          : sql`(${collections.sortOrder}, ${collections.id}) > (${after.sortOrder}, ${after.id})`;
      const rows = await selectCollections(and(isLive, isAfter))
        .orderBy(asc(collections.sortOrder), asc(collections.id))
        .limit(limit);
      return rows.map(toRecord);
    },
  };
}

/** The statements that write a merchant's collections. */
export function collectionWriteRepo({ db, business }: CollectionContext) {
  const isOwned = eq(collections.businessId, business.id);

  const insertMembers = (id: string, productIds: readonly string[] | null): Write[] =>
    productIds?.length
      ? [
          db
            .insert(collectionProducts)
            .select(sql`select ${id}, value, key from json_each(${JSON.stringify(productIds)})`),
        ]
      : [];

  return {
    insert: ({ members, ...fields }: Collection, now: number): Write[] => [
      db.insert(collections).values({
        ...fields,
        rule: members.rule,
        businessId: business.id,
        createdAt: now,
        updatedAt: now,
      }),
      ...insertMembers(fields.id, members.productIds),
    ],

    /**
     * Updates a collection. Fails on `collections.updated_at` when the row has changed since it was
     * read.
     */
    update(
      before: CollectionRecord,
      { id, members, ...fields }: Collection,
      updatedAt: number,
    ): Write[] {
      const replacesMembers = members !== before.collection.members;
      return [
        db
          .update(collections)
          .set({
            ...fields,
            rule: members.rule,
            updatedAt: updatedAtUnlessChanged(collections, before, { updatedAt }),
          })
          .where(and(isOwned, eq(collections.id, id))),
        ...(replacesMembers
          ? [
              db.delete(collectionProducts).where(eq(collectionProducts.collectionId, id)),
              ...insertMembers(id, members.productIds),
            ]
          : []),
      ];
    },

    archive: (before: CollectionRecord, updatedAt: number): Write =>
      db
        .update(collections)
        .set({
          archivedAt: updatedAt,
          updatedAt: updatedAtUnlessChanged(collections, before, { updatedAt }),
        })
        .where(and(isOwned, eq(collections.id, before.collection.id))),

    /**
     * Counts the collection's products. As the last statement of a batch, it counts what the batch
     * has written.
     */
    countProducts: (id: string): Write =>
      db
        .select({ productCount: memberCount(business) })
        .from(collections)
        .where(and(isOwned, eq(collections.id, id))),
  };
}

/** Returns the number of products from the result of `countProducts`. */
export const productCountIn = (result: unknown): number => {
  const rows = result as readonly { productCount: number }[]; // safe: what `countProducts` selects
  return rows[0]?.productCount ?? 0;
};

const selectUnknownProducts = ({ db, business }: CollectionContext, ids: readonly string[]) =>
  db
    .select({ id: sql<string>`wanted.value` })
    .from(sql`json_each(${JSON.stringify(ids)}) as wanted`)
    .where(sql`not exists (select 1 from ${products} where ${products.id} = wanted.value
      and +${products.businessId} = ${business.id} and ${products.archivedAt} is null)`);

const listedProductIds = sql<string>`(select json_group_array(product_id) from (
  select listed.product_id from ${collectionProducts} as listed cross join ${products} as sold
  where listed.collection_id = collections.id and sold.id = listed.product_id and sold.archived_at is null
  order by listed.position))`;

function requireRecord([row]: readonly CollectionRow[]): CollectionRecord {
  if (!row) throw notFound("collection");
  return toRecord(row);
}

function toRecord({
  updatedAt,
  archivedAt,
  productCount,
  rule,
  productIds,
  businessId: _,
  createdAt: __,
  ...fields
}: CollectionRow): CollectionRecord {
  // Safe: the query built this text with json_group_array from ids.
  const members = rule
    ? { rule, productIds: null }
    : { rule: null, productIds: JSON.parse(productIds) as string[] };
  return { collection: { ...fields, members }, productCount, updatedAt, archivedAt };
}
