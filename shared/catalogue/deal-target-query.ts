import { type SQL, sql } from "drizzle-orm";
import { collections } from "./collections/tables.ts";
import { categories, products } from "./tables.ts";

/** A query of the ids of a category and all of its ancestors. */
export const categoryAndAncestorIds = (business: { id: string }, categoryId: string): SQL => sql`
  with recursive above(id, parent_id) as (
    select own.id, own.parent_id from ${categories} as own
    where own.id = ${categoryId} and own.business_id = ${business.id} and own.archived_at is null
    union
    select parent.id, parent.parent_id from ${categories} as parent, above
    where parent.id = above.parent_id and parent.business_id = ${business.id})
  select id from above`;

/**
 * A query of the `ids` that no product, category or collection of the business has; archived ones
 * do not count.
 */
export function unknownTargetIds(
  business: { id: string },
  kind: "product" | "category" | "collection",
  ids: readonly string[],
): SQL {
  const table = { product: products, category: categories, collection: collections }[kind];
  return sql`select target.value as id from json_each(${JSON.stringify(ids)}) as target
    where not exists (select 1 from ${table} as known where known.id = target.value
      and +known.business_id = ${business.id} and known.archived_at is null)`;
}
