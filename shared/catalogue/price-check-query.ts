import { type SQL, sql } from "drizzle-orm";
import { isRowOfBusiness } from "../database/index.ts";
import type { BusinessRef } from "./catalogue-version-repo.ts";
import type { BillingPlan } from "./plans/billing-plan.ts";
import { billingPlans } from "./plans/tables.ts";
import type { OfferedProduct } from "./product.ts";
import { type ProductGroupFilter, productGroupRows } from "./product-groups-query.ts";
import { products } from "./tables.ts";

/**
 * The condition that products have not changed since they were read. Variants, options, location
 * prices and definitions are written with their product and raise its `updated_at`. The price is
 * compared too, because a correction by hand may not raise it.
 */
export function productsUnchanged(business: BusinessRef, read: readonly OfferedProduct[]): SQL {
  const expected = read.map(({ id, updatedAt, defaultPriceMinor, isActive }) => [
    id,
    updatedAt,
    defaultPriceMinor,
    Number(isActive),
  ]);
  return sql`(select count(*) from json_each(${JSON.stringify(expected)}) as expected
    cross join ${products} on ${products.id} = expected.value ->> 0
    where ${isRowOfBusiness(products.businessId, business)} and ${products.archivedAt} is null
      and ${products.updatedAt} = expected.value ->> 1
      and ${products.defaultPriceMinor} = expected.value ->> 2
      and ${products.isActive} = expected.value ->> 3) = ${expected.length}`;
}

/** The condition that each of the billing plans still has the terms with which it was read. */
export const billingPlansUnchanged = (business: BusinessRef, read: readonly BillingPlan[]): SQL =>
  sql`(select count(*) from json_each(${JSON.stringify(read)}) as expected
    cross join ${billingPlans} on ${billingPlans.id} = expected.value ->> 'id'
    where ${isRowOfBusiness(billingPlans.businessId, business)} and ${billingPlans.archivedAt} is null
      and ${billingPlans.priceMinor} = expected.value ->> 'priceMinor'
      and ${billingPlans.interval} = expected.value ->> 'interval'
      and ${billingPlans.intervalCount} = expected.value ->> 'intervalCount'
      and ${billingPlans.trialDays} = expected.value ->> 'trialDays'
      and ${billingPlans.minQuantity} = expected.value ->> 'minQuantity'
      and ${billingPlans.minOrderValueMinor} = expected.value ->> 'minOrderValueMinor') = ${read.length}`;

type GroupMembership = Pick<OfferedProduct, "id" | "groupIds">;

/**
 * The condition that products belong to the same groups as when they were read. Only the groups in
 * `groupIds` are compared.
 */
export function groupsUnchanged(
  business: BusinessRef,
  read: readonly GroupMembership[],
  { groupIds, kinds }: Readonly<{ groupIds: ReadonlySet<string>; kinds: ProductGroupFilter }>,
): SQL {
  const expected = read.flatMap(({ id, groupIds: ofProduct }) =>
    [...new Set(ofProduct)].filter((group) => groupIds.has(group)).map((group) => [id, group]),
  );
  const productIds = sql`select value from json_each(${JSON.stringify(read.map(({ id }) => id))})`;
  return sql`(select json_group_array(json_array(product_id, group_id)) from (
      select distinct product_id, group_id from (${productGroupRows(business, productIds, kinds)})
      where group_id in (select value from json_each(${JSON.stringify([...groupIds])}))
      order by product_id, group_id)) = ${JSON.stringify(expected.sort(compareIds))}`;
}

/** Compares by code units, as SQLite does. */
const compareIds = ([a = "", b = ""]: string[], [c = "", d = ""]: string[]): number =>
  a === c ? Number(b > d) - Number(b < d) : Number(a > c) - Number(a < c);
