import { type SQL, sql } from "drizzle-orm";
import { collectionMemberIds } from "./collections/collection-members-query.ts";
import { collections } from "./collections/tables.ts";
import { isSoldAt } from "./product-conditions-query.ts";
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

/** What a deal applies to. */
type DealTarget = Readonly<{
  kind: "product" | "category" | "collection";
  ids: readonly string[];
}>;

/** A query that has one row if the location sells an active product of the target, or no row. */
export function targetSoldAt(
  business: { id: string },
  { kind, ids }: DealTarget,
  locationId: string,
): SQL {
  const targetIds = sql`select value from json_each(${JSON.stringify(ids)})`;
  const candidates = {
    product: sql`(${targetIds}) as target cross join ${products} as product
      on product.id = target.value`,
    category: sql`(with recursive branch(id) as (${targetIds} union
        select below.id from branch cross join ${categories} as below
        where below.business_id = ${business.id} and below.parent_id = branch.id)
      select id from branch) as target cross join ${products} as product
      on product.category_id = target.id`,
    collection: sql`(${collectionMemberIds(business, targetIds)}) as target
      cross join ${products} as product on product.id = target.product_id`,
  }[kind];
  return sql`select 1 from ${candidates}
    where +product.business_id = ${business.id} and product.is_active = 1
      and product.archived_at is null and ${isSoldAt(sql`product.schedules`, locationId)} limit 1`;
}

/** A query of the `ids` that the business has no record of. An archived record counts as none. */
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
