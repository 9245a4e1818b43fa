import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { isRowOfBusiness } from "../../database/index.ts";
import {
  type AtVersion,
  type BusinessRef,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "../catalogue-version-repo.ts";
import { listedProductColumns, type OffsetPage } from "../listing/product-list-query.ts";
import { isPubliclyVisible } from "../product-conditions-query.ts";
import { products } from "../tables.ts";
import type { ListedCollection } from "./collection.ts";
import { memberCount, ruleProductsQuery } from "./collection-members-query.ts";
import { collectionProducts, collections } from "./tables.ts";

type CollectionPage = Readonly<{
  /** Compared with the name; null for every collection. */
  search: string | null;
  /** The location whose products are counted; null for all products. */
  locationId: string | null;
  limit: number;
  /** The last collection on the previous page. */
  after: Readonly<{ sortOrder: number; id: string }> | null;
}>;

/** The collections that shoppers see, in display order, in one round trip. */
export const listCollections = (
  reader: CatalogueReader,
  { search, locationId, limit, after }: CollectionPage,
): Promise<AtVersion<ListedCollection[]>> => {
  const isMatch =
    search === null ? undefined : sql`instr(lower(${collections.name}), lower(${search})) > 0`;
  const isAfter =
    after === null
      ? undefined
      : sql`(${collections.sortOrder}, ${collections.id}) > (${after.sortOrder}, ${after.id})`;
  return readCollections(
    reader,
    and(eq(collections.businessId, reader.business.id), isMatch, isAfter),
    { limit, locationId },
  );
};

/** A collection that shoppers see, in one round trip; null when it is unknown. */
export async function findCollection(
  reader: CatalogueReader,
  idOrSlug: string,
): Promise<AtVersion<ListedCollection | null>> {
  const isCollection = collectionByIdOrSlug(reader.business, idOrSlug);
  const { version, data } = await readCollections(reader, isCollection, {
    limit: 1,
    locationId: null,
  });
  return { version, data: data[0] ?? null };
}

/**
 * A page of a collection's active products, in one round trip. Listed products are in the
 * merchant's order, products of a rule newest first. Null for an unknown collection.
 */
export async function listCollectionProducts(
  { db, business }: CatalogueReader,
  idOrSlug: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<AtVersion<OffsetPage | null>> {
  const isCollection = and(
    collectionByIdOrSlug(business, idOrSlug),
    isNull(collections.archivedAt),
  );
  const inCollection = sql`in (select ${collections.id} from ${collections} where ${isCollection})`;
  const [versionRows, collectionRows, listedProducts, ruleProducts] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db
      .select({ rule: collections.rule, total: memberCount(business) })
      .from(collections)
      .where(isCollection),
    db
      .select(listedProductColumns())
      .from(collectionProducts)
      .innerJoin(products, eq(products.id, collectionProducts.productId))
      .where(
        and(sql`${collectionProducts.collectionId} ${inCollection}`, isPubliclyVisible(business)),
      )
      .orderBy(asc(collectionProducts.position))
      .limit(limit)
      .offset(offset),
    db
      .select(listedProductColumns())
      .from(
        sql`(${ruleProductsQuery(business, { collection: inCollection, limit, offset })}) as page`,
      )
      .innerJoin(products, sql`${products.id} = page.product_id`)
      .orderBy(sql`page.created_at desc, page.product_id desc`),
  ]);
  const [row] = collectionRows;
  const data = row
    ? { items: row.rule === null ? listedProducts : ruleProducts, total: row.total }
    : null;
  return { version: parseVersion(versionRows), data };
}

/**
 * Matches a collection by id or slug. No slug can equal an id, because ids contain an underscore.
 */
export const collectionByIdOrSlug = (business: BusinessRef, idOrSlug: string): SQL | undefined =>
  and(
    sql`${collections.id} in (
      select ${idOrSlug} union select named.id from ${collections} as named
      where named.business_id = ${business.id} and named.slug = ${idOrSlug} and named.archived_at is null)`,
    isRowOfBusiness(collections.businessId, business),
  );

async function readCollections(
  { db, business }: CatalogueReader,
  condition: SQL | undefined,
  { limit, locationId }: Pick<CollectionPage, "limit" | "locationId">,
): Promise<AtVersion<ListedCollection[]>> {
  const [versionRows, data] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db
      .select({ ...listedCollectionColumns, productCount: memberCount(business, locationId) })
      .from(collections)
      .where(and(isNull(collections.archivedAt), condition))
      .orderBy(asc(collections.sortOrder), asc(collections.id))
      .limit(limit),
  ]);
  return { version: parseVersion(versionRows), data };
}

const listedCollectionColumns = {
  id: collections.id,
  name: collections.name,
  slug: collections.slug,
  description: collections.description,
  imageUrl: collections.imageUrl,
  sortOrder: collections.sortOrder,
  metadata: collections.metadata,
};
