import { sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { products } from "../tables.ts";

/**
 * Updates the stored prices of all discounted bundles that are or contain one of the products. The
 * statements read what the batch wrote, so they come last in every batch that writes products.
 */
export function refreshBundlePrices(
  { db, business, now }: Pick<Context, "db" | "business" | "now">,
  productIds: readonly string[],
) {
  const changedIds = sql`(select value from json_each(${JSON.stringify(productIds)}))`;
  const priceMinor = sql`(select price.price_minor from bundle_prices as price
    where price.product_id = products.id and price.location_id is null)`;
  const overrides = sql`(select json_group_array(json_object(
      'locationId', location_id, 'variantId', null, 'priceMinor', price_minor))
    from (select price.location_id, price.price_minor from bundle_prices as price
      where price.product_id = products.id and price.location_id is not null order by 1))`;
  return db
    .update(products)
    .set({
      defaultPriceMinor: priceMinor,
      priceOverrides: overrides,
      updatedAt: sql`max(products.updated_at + 1, ${now()})`,
    })
    .where(
      sql`products.id in (
          select bundles.product_id from bundle_parts cross join bundles on bundles.id = bundle_parts.bundle_id
          where bundle_parts.product_id in ${changedIds} and bundles.pricing ->> '$.type' <> 'fixed'
          union
          select product_id from bundles where product_id in ${changedIds} and pricing ->> '$.type' <> 'fixed')
        and +products.business_id = ${business.id} and products.archived_at is null
        and (products.default_price_minor, products.price_overrides) is not (${priceMinor}, ${overrides})`,
    );
}
