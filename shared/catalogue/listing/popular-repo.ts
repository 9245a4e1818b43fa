import { desc, eq, sql } from "drizzle-orm";
import { categories, productFacets, products } from "../tables.ts";
import type { CatalogueReader } from "./listing-repo.ts";

/** Categories, those below them counted, that are looked into; beyond them interest is thin. */
const maxCategories = 100;
/** Of a category with more products the newest are looked at. */
const maxProductsOfCategory = 200;

type Wanted = Readonly<{
  /** Products that are left out. */
  except: readonly string[];
  limit: number;
}>;

/** The statement that reads the most popular of the public's products, in the order of their index. */
export const popularProductsQuery = ({ db, business }: CatalogueReader, wanted: Wanted) =>
  db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(
      // As the condition of the partial index is written.
      sql`${eq(products.businessId, business.id)} and is_active = 1 and archived_at is null
        and ${products.id} not in ${listOf(wanted.except)}`,
    )
    .orderBy(desc(products.popularity), desc(products.id))
    .limit(wanted.limit);

/**
 * The statement that reads the most popular of the public's products that are in one of the
 * categories or below it, with that category; where it could be several, each of them.
 */
export function popularInCategoriesQuery(
  { db, business }: CatalogueReader,
  { categoryIds, except, limit }: Wanted & Readonly<{ categoryIds: readonly string[] }>,
) {
  const found = sql`
    with recursive branch (root, place, id) as (
      select own.id, asked.key, own.id
      from json_each(${JSON.stringify(categoryIds)}) as asked cross join ${categories} as own
      where own.id = asked.value and +own.business_id = ${business.id} and own.archived_at is null
      union
      select branch.root, branch.place, child.id from branch cross join ${categories} as child
      where child.business_id = ${business.id} and child.parent_id = branch.id
      limit ${maxCategories})
    select listed.product_id, branch.root, branch.place
    from branch cross join ${productFacets} as listed indexed by sqlite_autoindex_product_facets_1
    where listed.facet = 'category ' || branch.id and listed.product_id in (
      select one.product_id from ${productFacets} as one indexed by product_facets_newest
      where one.business_id = ${business.id} and one.facet = 'category ' || branch.id
      order by one.created_at desc limit ${maxProductsOfCategory})`;
  return db
    .select({
      id: products.id,
      name: products.name,
      categoryId: sql<string>`found.root`.as("category_id"),
    })
    .from(sql`(${found}) as found`)
    .innerJoin(products, sql`${products.id} = found.product_id`)
    .where(sql`${products.id} not in ${listOf(except)}`)
    .orderBy(desc(products.popularity), sql`found.place`, desc(products.id))
    .limit(limit);
}

const listOf = (ids: readonly string[]) =>
  sql`(select value from json_each(${JSON.stringify(ids)}))`;
