import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { isRowOfBusiness } from "../database/index.ts";
import type { BusinessRef } from "./catalogue-version-repo.ts";
import { bundles, composites, products, productVariants } from "./tables.ts";

/** The condition that a product of the business has this id, or this slug. */
export const hasIdOrSlug = (business: BusinessRef, idOrSlug: string): SQL =>
  sql`${products.id} in (${idsByIdOrSlug(business, idOrSlug)})`;

/** A query of the ids of products with this id, or with this slug in the business. */
export const idsByIdOrSlug = (business: BusinessRef, idOrSlug: string): SQL =>
  sql`select ${products.id} from ${products} where ${products.id} = ${idOrSlug}
    union select ${products.id} from ${products}
    where ${products.businessId} = ${business.id} and ${products.slug} = ${idOrSlug} and ${products.archivedAt} is null`;

/** The conditions under which shoppers may see products that were found by id. */
export const isPubliclyVisible = (business: BusinessRef) =>
  and(
    isRowOfBusiness(products.businessId, business),
    eq(products.isActive, true),
    isNull(products.archivedAt),
  );

/** Whether a product with these schedules is sold at the location at some time. */
export const isSoldAt = (schedules: SQL, locationId: string): SQL => sql`(${schedules} = '[]'
  or exists (select 1 from json_each(${schedules}) as rule
    where coalesce(rule.value ->> '$.locationId' = ${locationId}, 1)))`;

/**
 * The conditions for the rows of each table that products are read from. `ids` is a query of
 * product ids.
 */
export const productRowConditions = (ids: SQL, business: BusinessRef) => ({
  products: and(
    sql`${products.id} in (${ids})`,
    isRowOfBusiness(products.businessId, business),
    isNull(products.archivedAt),
  ),
  variants: and(
    sql`${productVariants.productId} in (${ids})`,
    isRowOfBusiness(productVariants.businessId, business),
    isNull(productVariants.archivedAt),
  ),
  bundles: and(
    sql`${bundles.productId} in (${ids})`,
    isRowOfBusiness(bundles.businessId, business),
  ),
  composites: and(
    sql`${composites.productId} in (${ids})`,
    isRowOfBusiness(composites.businessId, business),
  ),
});

/**
 * A query of these product ids and the ids of the components of bundles and composites among them.
 */
export const withComponentIds = (ids: SQL) => sql`${ids}
  union
  select json_extract(part.value, '$.productId') from ${bundles}, json_each(${bundles.components}) as part
  where ${bundles.productId} in (${ids})
  union
  select json_extract(part.value, '$.productId')
  from ${composites}, json_each(${composites.groups}) as grp, json_each(grp.value, '$.components') as part
  where ${composites.productId} in (${ids})`;
