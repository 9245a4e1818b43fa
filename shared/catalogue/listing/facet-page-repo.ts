import { type SQL, sql } from "drizzle-orm";
import { productFacets } from "../tables.ts";
import { candidatesOr } from "./candidate-page-repo.ts";
import { facetTables, isDriverWithin, narrowedTo } from "./facet-repo.ts";
import { atDefaultPrice, facets, type WantedFacets, wantedFacets } from "./facets.ts";
import type { ListQuery } from "./listing.ts";
import { inOrder, orderOfPage, type PageOrder, placeColumns, windowOf } from "./page-order-repo.ts";
import { hasPriceBounds, priceAt } from "./product-filter-repo.ts";

type Owner = { id: string };

/** So many products or fewer are read and sorted, and then the price's own order is not needed. */
const fewProducts = 500;

const productId = sql`listed.product_id`;

/**
 * The places of a page of a list by age or price, as rows of product_id and term_0. They are read in
 * order, until the page is full, from the index of the facets under which the fewest products stand.
 */
export function facetPage(business: Owner, query: ListQuery, by: "created_at" | "price"): SQL {
  const { locationId } = query.filters;
  if (by === "price") {
    return locationId === null
      ? page(business, query, wantedFacets(query.filters))
      : pageByPriceAt(business, query, locationId);
  }
  const wanted = wantedFacets(query.filters);
  const order = { terms: [sql`listed.created_at`], productId, direction: query.sort.direction };
  const price = priceAt(locationId, { productId, price: sql`listed.price_minor` });
  const walk = (rows: SQL) => {
    const narrowed = narrowedTo(query, { wanted, order, price, isDriven: true });
    const { offset } = windowOf(query);
    return walked({ business, wanted, order, narrowed, rows, offset, index: newest });
  };
  return hasPriceBounds(query.filters)
    ? sql`with ${facetTables(business, wanted)}, ${candidatesOr(business, query, walk)}`
    : sql`with ${facetTables(business, wanted)} ${walk(sql`${windowOf(query).rows}`)}`;
}

const newest = sql`product_facets_newest`;
const byPrice = sql`product_facets_by_price`;
/** The primary key: the planner would build an index of its own instead. */
const byProduct = sql`sqlite_autoindex_product_facets_1`;

/** By the prices that stand beside the facets. */
function page(business: Owner, query: ListQuery, wanted: WantedFacets): SQL {
  const order = orderByPrice(query);
  const narrowed = narrowedTo(query, { wanted, order, price: listedPrice, isDriven: true });
  const { rows, offset } = windowOf(query);
  return sql`with ${facetTables(business, wanted)}
    ${walked({ business, wanted, order, narrowed, rows: sql`${rows}`, offset, index: byPrice })}`;
}

const listedPrice = sql`listed.price_minor`;

const orderByPrice = ({ sort: { direction } }: ListQuery): PageOrder => ({
  terms: [listedPrice],
  productId,
  direction,
});

/** What the location prices and what it does not are two lists, each in order: they are merged. */
function pageByPriceAt(business: Owner, query: ListQuery, locationId: string): SQL {
  const { rows, offset } = windowOf(query);
  const whole = { ...query, limit: query.limit + offset, start: withoutOffset(query.start) };
  const wanted = wantedFacets(query.filters);
  return sql`
    select page.product_id, page.term_0 from (
      select * from (${page(business, whole, atDefaultPrice(wanted, locationId))})
      union all
      select * from (${ownPricesPage(business, whole, { wanted, locationId })})) as page
    order by ${inOrder(orderOfPage(query.sort))} limit ${rows} offset ${offset}`;
}

const withoutOffset = (start: ListQuery["start"]): ListQuery["start"] =>
  "after" in start ? start : { offset: 0 };

/** Little under another facet is sorted; much of it is met soon enough along the location's prices. */
function ownPricesPage(
  business: Owner,
  query: ListQuery,
  { wanted, locationId }: { wanted: WantedFacets; locationId: string },
): SQL {
  const order = orderByPrice(query);
  const { rows } = windowOf(query);
  const facet = facets.pricedAt(locationId);
  const narrowed = (isDriven: boolean) =>
    narrowedTo(query, { wanted, order, price: listedPrice, isDriven });
  const walk = (limit: SQL) => sql`
    select ${placeColumns(order)} from ${productFacets} as listed indexed by ${byPrice}
    where listed.business_id = ${business.id} and listed.facet = ${facet} and ${narrowed(false)}
    order by ${inOrder(order)} limit ${limit}`;
  if (wanted.isEverything) return walk(sql`${rows}`);
  const areFew = sql`(select are_few from driven)`;
  return sql`with ${facetTables(business, wanted)},
      driven (are_few) as materialized (select ${isDriverWithin(business, fewProducts)})
    select * from (
      select distinct ${placeColumns(order)}
      from driver cross join ${productFacets} as found indexed by ${newest}
        cross join ${productFacets} as listed
      where found.business_id = ${business.id} and found.facet = driver.facet
        and listed.product_id = found.product_id and listed.facet = ${facet} and ${narrowed(true)}
      order by ${inOrder(order)} limit iif(${areFew}, ${rows}, 0))
    union all
    select * from (${walk(sql`iif(${areFew}, 0, ${rows})`)})`;
}

/**
 * In the index's order, to the end of the page. Where the driver is several facets each of them is
 * read so far, and these are merged; a product that stands under two of them is there once.
 */
function walked({
  business,
  wanted,
  order,
  narrowed,
  rows,
  offset,
  index,
}: {
  business: Owner;
  wanted: WantedFacets;
  order: PageOrder;
  narrowed: SQL;
  rows: SQL;
  offset: number;
  index: SQL;
}): SQL {
  const places = placeColumns(order);
  const under = (facet: SQL) => sql`
    from ${productFacets} as listed indexed by ${index}
    where listed.business_id = ${business.id} and listed.facet = ${facet} and ${narrowed}
    order by ${inOrder(order)}`;
  if (wanted.isPlain) {
    return sql`select ${places} ${under(sql`(select facet from driver)`)} limit ${rows} offset ${offset}`;
  }
  return sql`select distinct ${places}
    from driver cross join ${productFacets} as listed indexed by ${byProduct}
    where listed.facet = driver.facet and listed.product_id in (
      select listed.product_id ${under(sql`driver.facet`)} limit ${rows} + ${offset})
    order by ${inOrder(order)} limit ${rows} offset ${offset}`;
}
