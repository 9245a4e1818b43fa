import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { categories, productFacetCounts } from "../tables.ts";

/** A query of the ids of a category and all of its subcategories. */
export const categoryTreeIds = (business: BusinessRef, isRoot: SQL): SQL => sql`
  with recursive branch(id) as (
    select ${categories.id} from ${categories}
    where ${categories.businessId} = ${business.id} and ${categories.archivedAt} is null and ${isRoot}
    union
    select ${categories.id} from branch cross join ${categories}
    where ${categories.businessId} = ${business.id} and ${categories.parentId} = branch.id)
  select id from branch`;

/** The number of active products in a category and its subcategories. */
export const categoryTreeCount = (business: BusinessRef, isRoot: SQL): SQL<number> => sql<number>`(
  select coalesce(sum(counted.products), 0)
  from (${categoryTreeIds(business, isRoot)}) as below cross join ${productFacetCounts} as counted
  where counted.business_id = ${business.id} and counted.facet = 'category ' || below.id)`;

/** The number of active products in the category of the current row and below it. */
export const categoryCount = (business: BusinessRef): SQL<number> => sql<number>`(
  with recursive branch(id) as (
    select categories.id
    union
    select below.id from branch cross join ${categories} as below
    where below.business_id = ${business.id} and below.parent_id = branch.id)
  select coalesce(sum(counted.products), 0)
  from branch cross join ${productFacetCounts} as counted
  where counted.business_id = ${business.id} and counted.facet = 'category ' || branch.id)`;
