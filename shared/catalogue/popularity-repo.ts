import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import type { CatalogueReader } from "./catalogue-version-repo.ts";
import { boughtTogether, categories, productFacets, products } from "./tables.ts";

/** At most this many categories are read, including subcategories. */
const maxCategories = 100;
/** In a category, at most this many products are ranked: the newest ones. */
const maxProductsPerCategory = 200;
/** For a product, at most this many others are ranked: those most often bought with it. */
const maxPairsPerProduct = 50;

type ProductSelection = Readonly<{
  /** Ids of products that must not be selected. */
  except: readonly string[];
  limit: number;
}>;

/** Selects the most popular active products. */
export const popularProductsQuery = ({ db, business }: CatalogueReader, page: ProductSelection) =>
  db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(
      // The conditions repeat those of the partial index literally, so that SQLite can use the
      // index.
      sql`${eq(products.businessId, business.id)} and is_active = 1 and archived_at is null
        and ${products.id} not in ${idList(page.except)}`,
    )
    .orderBy(desc(products.popularity), desc(products.id))
    .limit(page.limit);

/**
 * Selects the most popular active products of the categories and their subcategories. Each row has
 * the category by which the product was found, so a product of several categories has several rows.
 */
export function popularInCategoriesQuery(
  { db, business }: CatalogueReader,
  { categoryIds, except, limit }: ProductSelection & Readonly<{ categoryIds: readonly string[] }>,
) {
  const candidates = sql`
    with recursive branch (root, position, id) as (
      select own.id, requested.key, own.id
      from json_each(${JSON.stringify(categoryIds)}) as requested cross join ${categories} as own
      where own.id = requested.value and +own.business_id = ${business.id} and own.archived_at is null
      union
      select branch.root, branch.position, child.id from branch cross join ${categories} as child
      where child.business_id = ${business.id} and child.parent_id = branch.id
      limit ${maxCategories})
    select listed.product_id, branch.root, branch.position
    from branch cross join ${productFacets} as listed indexed by sqlite_autoindex_product_facets_1
    where listed.facet = 'category ' || branch.id and listed.product_id in (
      select one.product_id from ${productFacets} as one indexed by product_facets_newest
      where one.business_id = ${business.id} and one.facet = 'category ' || branch.id
      order by one.created_at desc limit ${maxProductsPerCategory})`;
  return db
    .select({
      id: products.id,
      name: products.name,
      categoryId: sql<string>`found.root`.as("category_id"),
    })
    .from(sql`(${candidates}) as found`)
    .innerJoin(products, sql`${products.id} = found.product_id`)
    .where(sql`${products.id} not in ${idList(except)}`)
    .orderBy(desc(products.popularity), sql`found.position`, desc(products.id))
    .limit(limit);
}

/**
 * Selects the active products most often bought together with one of `productIds`. Each row has
 * that product, so a product bought together with several of them has several rows.
 */
export function boughtTogetherQuery(
  { db, business }: CatalogueReader,
  { productIds, except, limit }: ProductSelection & Readonly<{ productIds: readonly string[] }>,
) {
  const candidates = sql`
    with requested (id, position) as materialized (
      select value, key from json_each(${JSON.stringify(productIds)}))
    select pair.other_id, pair.orders, requested.id as with_id, requested.position
    from requested cross join ${boughtTogether} as pair indexed by bought_together_most
    where pair.business_id = ${business.id} and pair.product_id = requested.id and pair.other_id in (
      select one.other_id from ${boughtTogether} as one indexed by bought_together_most
      where one.business_id = ${business.id} and one.product_id = requested.id
      order by one.orders desc limit ${maxPairsPerProduct})`;
  return db
    .select({
      id: products.id,
      name: products.name,
      withId: sql<string>`found.with_id`.as("with_id"),
    })
    .from(sql`(${candidates}) as found`)
    .innerJoin(products, sql`${products.id} = found.other_id`)
    .where(
      sql`${products.isActive} = 1 and ${products.archivedAt} is null
        and ${products.id} not in ${idList(except)}`,
    )
    .orderBy(sql`found.orders desc`, sql`found.position`, desc(products.id))
    .limit(limit);
}

const idList = (ids: readonly string[]) =>
  sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** Two queries that select what was sold. Their columns have the names below. */
export type SoldProducts = Readonly<{
  /** product_id and quantity, one row for each product. */
  quantities: SQL;
  /** business_id, product_id, other_id and orders, one row for each pair in both directions. */
  pairs: SQL;
}>;

/**
 * The statements that add sales to the popularity of products. They belong in the batch that marks
 * the orders as counted. The catalogue version is not raised: cached responses do not depend on
 * popularity, and each sale would invalidate them.
 */
export const popularityWrites = (
  db: Db,
  { quantities, pairs }: SoldProducts,
): readonly [Write, Write] => [
  db
    .update(products)
    .set({ popularity: sql`${products.popularity} + sold.quantity` })
    .from(sql`(${quantities}) as sold`)
    .where(sql`${products.id} = sold.product_id`),
  db
    .insert(boughtTogether)
    .select(pairs)
    .onConflictDoUpdate({
      target: [boughtTogether.businessId, boughtTogether.productId, boughtTogether.otherId],
      set: { orders: sql`${boughtTogether.orders} + excluded.orders` },
    }),
];
