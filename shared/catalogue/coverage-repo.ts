import { type SQL, sql } from "drizzle-orm";
import { collections } from "./collections/tables.ts";
import { categories, products } from "./tables.ts";

type Owner = Readonly<{ id: string }>;

/** The ids of a category and of those that it stands below. */
export const categoriesAbove = (business: Owner, categoryId: string): SQL => sql`
  with recursive above(id, parent_id) as (
    select own.id, own.parent_id from ${categories} as own
    where own.id = ${categoryId} and own.business_id = ${business.id} and own.archived_at is null
    union
    select parent.id, parent.parent_id from ${categories} as parent, above
    where parent.id = above.parent_id and parent.business_id = ${business.id})
  select id from above`;

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
