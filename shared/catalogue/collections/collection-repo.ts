import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { changedSince, isOneOf } from "../products/product-write-repo.ts";
import { namesakes } from "../products/slug.ts";
import { products } from "../tables.ts";
import type { Collection } from "./collection.ts";
import { memberCount } from "./member-query-repo.ts";
import { collectionProducts, collections } from "./tables.ts";

/** A collection as its merchant sees it, with what a change of it is guarded by. */
export type CollectionRecord = Readonly<{
  collection: Collection;
  productCount: number;
  updatedAt: number;
  archivedAt: number | null;
}>;

/** What stands after a collection in the order of display. */
export type CollectionCursor = Readonly<{ sortOrder: number; id: string }>;

type CollectionRow = typeof collections.$inferSelect & {
  productIds: string;
  productCount: number;
};

/** A merchant's collections; each read is one round trip. */
export function collectionRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = eq(collections.businessId, business.id);
  const live = and(own, isNull(collections.archivedAt));

  const query = (condition: SQL | undefined) =>
    db
      .select({ ...columns, productCount: memberCount(business) })
      .from(collections)
      .where(condition);

  /** Those of the ids that are none of the business's products. */
  const strangers = (ids: readonly string[]) =>
    db
      .select({ id: sql<string>`wanted.value` })
      .from(sql`json_each(${JSON.stringify(ids)}) as wanted`)
      .where(sql`not exists (select 1 from ${products} where ${products.id} = wanted.value
        and +${products.businessId} = ${business.id} and ${products.archivedAt} is null)`);

  return {
    async get(id: string): Promise<CollectionRecord> {
      const [row] = await query(and(live, eq(collections.id, id)));
      if (!row) throw notFound("collection");
      return recordFrom(row);
    },

    async getEvenArchived(id: string): Promise<CollectionRecord> {
      const [row] = await query(and(own, eq(collections.id, id)));
      if (!row) throw notFound("collection");
      return recordFrom(row);
    },

    /** With those of the products to be listed that are not there. */
    async getForUpdate(
      id: string,
      productIds: readonly string[],
    ): Promise<{ record: CollectionRecord; missing: string[] }> {
      const [[row], unknown] = await db.batch([
        query(and(live, eq(collections.id, id))),
        strangers(productIds),
      ]);
      if (!row) throw notFound("collection");
      return { record: recordFrom(row), missing: unknown.map((one) => one.id) };
    },

    /** What a new collection may meet. */
    async surroundings(
      slug: string,
      productIds: readonly string[],
    ): Promise<{ takenSlugs: string[]; missing: string[] }> {
      const [slugs, unknown] = await db.batch([
        db
          .select({ slug: collections.slug })
          .from(collections)
          .where(and(live, isOneOf(collections.slug, namesakes(slug)))),
        strangers(productIds),
      ]);
      return { takenSlugs: slugs.map((row) => row.slug), missing: unknown.map((one) => one.id) };
    },

    /** In the order of display. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: CollectionCursor | null;
    }): Promise<CollectionRecord[]> {
      const behind =
        after === null
          ? undefined
          : sql`(${collections.sortOrder}, ${collections.id}) > (${after.sortOrder}, ${after.id})`;
      const rows = await query(and(live, behind))
        .orderBy(asc(collections.sortOrder), asc(collections.id))
        .limit(limit);
      return rows.map(recordFrom);
    },

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

    /** Fails on `collections.updated_at` when the row is not as it was read. */
    update(
      before: CollectionRecord,
      { id, members, ...fields }: Collection,
      updatedAt: number,
    ): Write[] {
      const isSame = members === before.collection.members;
      return [
        db
          .update(collections)
          .set({
            ...fields,
            rule: members.rule,
            updatedAt: changedSince(collections, before, { updatedAt }),
          })
          .where(and(own, eq(collections.id, id))),
        ...(isSame
          ? []
          : [
              db.delete(collectionProducts).where(eq(collectionProducts.collectionId, id)),
              ...insertMembers(id, members.productIds),
            ]),
      ];
    },

    /** Put behind the writes of a change, it counts what they made of the collection. */
    count: (id: string): Write =>
      db
        .select({ productCount: memberCount(business) })
        .from(collections)
        .where(and(own, eq(collections.id, id))),

    archive: (before: CollectionRecord, updatedAt: number): Write =>
      db
        .update(collections)
        .set({ archivedAt: updatedAt, updatedAt: changedSince(collections, before, { updatedAt }) })
        .where(and(own, eq(collections.id, before.collection.id))),
  };

  function insertMembers(id: string, productIds: readonly string[] | null): Write[] {
    if (!productIds?.length) return [];
    return [
      db
        .insert(collectionProducts)
        .select(sql`select ${id}, value, key from json_each(${JSON.stringify(productIds)})`),
    ];
  }
}

/** The number that `count` found, in the results of its batch. */
export const countIn = (result: unknown): number => {
  const rows = result as readonly { productCount: number }[]; // safe: what `count` selects
  return rows[0]?.productCount ?? 0;
};

const listedIds = sql`select json_group_array(product_id) from (
  select listed.product_id from ${collectionProducts} as listed cross join ${products} as sold
  where listed.collection_id = collections.id and sold.id = listed.product_id and sold.archived_at is null
  order by listed.position)`;

const columns = {
  id: collections.id,
  businessId: collections.businessId,
  name: collections.name,
  slug: collections.slug,
  description: collections.description,
  imageUrl: collections.imageUrl,
  sortOrder: collections.sortOrder,
  metadata: collections.metadata,
  rule: collections.rule,
  archivedAt: collections.archivedAt,
  createdAt: collections.createdAt,
  updatedAt: collections.updatedAt,
  productIds: sql<string>`(${listedIds})`,
};

function recordFrom({
  updatedAt,
  archivedAt,
  productCount,
  rule,
  productIds,
  ...row
}: CollectionRow) {
  const { businessId: _, createdAt: __, ...fields } = row;
  // Safe: the text is the query's own json_group_array of ids.
  const members = rule
    ? { rule, productIds: null }
    : { rule: null, productIds: JSON.parse(productIds) as string[] };
  return {
    collection: { ...fields, members },
    productCount,
    updatedAt,
    archivedAt,
  };
}
