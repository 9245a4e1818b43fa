import { type SQL, sql } from "drizzle-orm";
import { visibleById } from "../listing/product-filter-repo.ts";
import { products, productTags } from "../tables.ts";
import { collectionProducts, collections } from "./tables.ts";

/**
 * What is in a collection, as rows of product_id and position (null by rule); `which` compares the
 * collection's id. Each half has no rows for the other kind of collection.
 */
export const memberRows = (business: { id: string }, which: SQL): SQL => sql`
  select product_id, position from ${collectionProducts} where collection_id ${which}
  union all
  select tag.product_id, null
  from ${collections} as one cross join json_each(one.rule, '$.tags') as want
    cross join ${productTags} as tag
  where one.id ${which} and tag.business_id = ${business.id} and tag.tag = want.value
  group by one.id, tag.product_id having count(*) = json_array_length(one.rule, '$.tags')`;

/** How many active products are in the collection of the statement's row. */
export const memberCount = (business: { id: string }): SQL<number> => {
  const members = memberRows(business, sql`= collections.id`);
  const count = sql`select count(*) from ${products}
    where ${products.id} in (select product_id from (${members})) and ${visibleById(business)}`;
  // Nested: drizzle takes the tables' names off the columns of an expression in a one-table select.
  return sql<number>`(${count})`;
};
