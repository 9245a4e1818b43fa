import { type SQL, sql } from "drizzle-orm";
import { memberRows } from "./collections/member-query-repo.ts";
import { collections } from "./collections/tables.ts";
import { categories, products } from "./tables.ts";

type Owner = Readonly<{ id: string }>;

/** The ids of the categories among `ids`, a query of ids, and of those below them. */
export const categoriesBelow = (business: Owner, ids: SQL): SQL => sql`
  with recursive below(id) as (
    select root.id from ${categories} as root
    where root.id in (${ids}) and root.business_id = ${business.id} and root.archived_at is null
    union
    select child.id from ${categories} as child, below
    where child.business_id = ${business.id} and child.parent_id = below.id)
  select id from below`;

/** The ids of a category and of those that it stands below. */
export const categoriesAbove = (business: Owner, categoryId: string): SQL => sql`
  with recursive above(id, parent_id) as (
    select own.id, own.parent_id from ${categories} as own
    where own.id = ${categoryId} and own.business_id = ${business.id} and own.archived_at is null
    union
    select parent.id, parent.parent_id from ${categories} as parent, above
    where parent.id = above.parent_id and parent.business_id = ${business.id})
  select id from above`;

/** The ids of the products that are in any of the collections of `ids`, a query of ids. */
export const productsInCollections = (business: Owner, ids: SQL): SQL => {
  const live = sql`in (select live.id from ${collections} as live
    where live.id in (${ids}) and live.business_id = ${business.id} and live.archived_at is null)`;
  return sql`select product_id from (${memberRows(business, live)})`;
};

/** Those of `ids` that are none of the business's products, categories or collections. */
export function strangersAmong(
  business: Owner,
  kind: "product" | "category" | "collection",
  ids: readonly string[],
): SQL {
  const table = { product: products, category: categories, collection: collections }[kind];
  return sql`select wanted.value as id from json_each(${JSON.stringify(ids)}) as wanted
    where not exists (select 1 from ${table} as known where known.id = wanted.value
      and +known.business_id = ${business.id} and known.archived_at is null)`;
}
