import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { AtVersion, CatalogueReader, OffsetPage } from "../listing/listing-repo.ts";
import { listed } from "../listing/listing-repo.ts";
import { visibleById } from "../listing/product-filter-repo.ts";
import { ownRow, versionQuery } from "../product-repo.ts";
import { products } from "../tables.ts";
import type { ListedCollection } from "./collection.ts";
import { memberCount, ruledProducts } from "./member-query-repo.ts";
import { collectionProducts, collections } from "./tables.ts";

/** The public's collections of one business, each call one round trip. */
export function collectionListingRepo({ db, business }: CatalogueReader) {
  const version = () => versionQuery(db, business.id);

  async function read(
    chosen: SQL | undefined,
    limit: number,
  ): Promise<AtVersion<ListedCollection[]>> {
    const [known, data] = await db.batch([
      version(),
      db
        .select({ ...shown, productCount: memberCount(business) })
        .from(collections)
        .where(and(isNull(collections.archivedAt), chosen))
        .orderBy(asc(collections.sortOrder), asc(collections.id))
        .limit(limit),
    ]);
    return { version: known[0]?.version ?? 0, data };
  }

  return {
    /** In the order that the merchant gave them; `search` is looked for in the name. */
    list: ({ search, limit }: { search: string | null; limit: number }) =>
      read(
        and(
          eq(collections.businessId, business.id),
          search === null
            ? undefined
            : sql`instr(lower(${collections.name}), lower(${search})) > 0`,
        ),
        limit,
      ),

    async find(idOrSlug: string): Promise<AtVersion<ListedCollection | null>> {
      const { version, data } = await read(namedCollection(business, idOrSlug), 1);
      return { version, data: data[0] ?? null };
    },

    /** Active products: as the merchant listed them, or by rule the newest first; null for an unknown one. */
    async products(
      idOrSlug: string,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<AtVersion<OffsetPage | null>> {
      const one = and(namedCollection(business, idOrSlug), isNull(collections.archivedAt));
      const chosen = sql`in (select ${collections.id} from ${collections} where ${one})`;
      const [known, found, given, ruled] = await db.batch([
        version(),
        db
          .select({ rule: collections.rule, total: memberCount(business) })
          .from(collections)
          .where(one),
        db
          .select(listed)
          .from(collectionProducts)
          .innerJoin(products, eq(products.id, collectionProducts.productId))
          .where(and(sql`${collectionProducts.collectionId} ${chosen}`, visibleById(business)))
          .orderBy(asc(collectionProducts.position))
          .limit(limit)
          .offset(offset),
        db
          .select(listed)
          .from(sql`(${ruledProducts(business, { which: chosen, limit, offset })}) as page`)
          .innerJoin(products, sql`${products.id} = page.product_id`)
          .orderBy(sql`page.created_at desc, page.product_id desc`),
      ]);
      const data = found[0]
        ? { items: found[0].rule === null ? given : ruled, total: found[0].total }
        : null;
      return { version: known[0]?.version ?? 0, data };
    },
  };
}

/** By id or slug: no slug looks like an id, as ids have an underscore. */
export const namedCollection = (business: { id: string }, idOrSlug: string): SQL | undefined =>
  and(
    sql`${collections.id} in (
      select ${idOrSlug} union select named.id from ${collections} as named
      where named.business_id = ${business.id} and named.slug = ${idOrSlug} and named.archived_at is null)`,
    ownRow(collections.businessId, business),
  );

const shown = {
  id: collections.id,
  name: collections.name,
  slug: collections.slug,
  description: collections.description,
  imageUrl: collections.imageUrl,
  sortOrder: collections.sortOrder,
  metadata: collections.metadata,
};
