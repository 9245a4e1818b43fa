import { type SQL, sql } from "drizzle-orm";
import { productFacets, products } from "../tables.ts";
import { facetTables, narrowedTo } from "./facet-repo.ts";
import { atDefaultPrice, facets, wantedFacets } from "./facets.ts";
import type { ListQuery } from "./listing.ts";
import { inOrder, type PageOrder, placeColumns, windowOf } from "./page-order-repo.ts";
import { hasPriceBounds, priceAt, withinPrices } from "./product-filter-repo.ts";
import { endTables, type Walk, walkedTo, withTables } from "./reach-repo.ts";

type Owner = { id: string };

/** So many products or fewer under the rarest facets and within the prices are read and sorted. */
const fewProducts = 500;

/**
 * The places of a page, as rows of product_id and term_0: of few candidates each
 * is looked at and they are sorted; many are met soon enough on a walk in order, or its reach ends.
 */
export function candidatesOr(business: Owner, query: ListQuery, walk: Walk): SQL {
  const wanted = wantedFacets(query.filters);
  const { order, price } = productOrder(query);
  const { rows, offset } = windowOf(query);
  const areFew = sql`(select count(*) <= ${fewProducts} from candidates)`;
  const tables = [
    facetTables(business, wanted),
    sql`candidates (product_id) as materialized (${candidates(business, query)})`,
    ...endTables(walk, sql`iif(${areFew}, 0, 1)`),
  ];
  return sql`${withTables(tables)}
    select * from (
      select distinct ${placeColumns(order)} from candidates cross join ${products} as product
      where product.id = candidates.product_id
        and ${narrowedTo(query, { wanted, order, price, isDriven: false })}
      order by ${inOrder(order)} limit iif(${areFew}, ${rows}, 0) offset ${offset})
    union all
    select * from (${walkedTo(walk, sql`iif(${areFew}, 0, ${rows})`)})`;
}

/** The order of a list and its prices, of rows of products that are called `product`. */
export function productOrder({ filters, sort }: ListQuery): { order: PageOrder; price: SQL } {
  const productId = sql`product.id`;
  const price = priceAt(filters.locationId, {
    productId,
    price: sql`product.default_price_minor`,
  });
  const term = {
    name: sql`product.name`,
    popularity: sql`product.popularity`,
    created_at: sql`product.created_at`,
    price,
    relevance: sql`0`,
  }[sort.by];
  return { order: { ...sort, terms: [term], productId }, price };
}

/** Where prices are bounded: those of default prices and those that the location prices, apart. */
function candidates(business: Owner, { filters }: ListQuery): SQL {
  const { locationId } = filters;
  const isBounded = hasPriceBounds(filters);
  const wanted = wantedFacets(filters);
  const at = isBounded ? atDefaultPrice(wanted, locationId) : wanted;
  const listed = (driver: SQL, facet: SQL) => sql`
    select listed.product_id from ${driver} ${productFacets} as listed indexed by product_facets_by_price
    where listed.business_id = ${business.id} and listed.facet = ${facet}
      and ${isBounded ? withinPrices(sql`listed.price_minor`, filters) : sql`true`}
    limit ${fewProducts + 1}`;
  const byDefault = sql`with ${facetTables(business, at)}
    ${listed(sql`driver cross join`, sql`driver.facet`)}`;
  return isBounded && locationId !== null
    ? sql`select * from (${byDefault})
        union all select * from (${listed(sql``, sql`${facets.pricedAt(locationId)}`)})`
    : byDefault;
}
