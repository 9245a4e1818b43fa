import { type SQL, sql } from "drizzle-orm";
import { productFacets } from "../tables.ts";
import { candidatesOr } from "./candidate-page-repo.ts";
import { facetTables, isDriverWithin, narrowedTo } from "./facet-repo.ts";
import { facetWalk } from "./facet-walk-repo.ts";
import { atDefaultPrice, facets, type WantedFacets, wantedFacets } from "./facets.ts";
import type { ListQuery } from "./listing.ts";
import {
  behind,
  inOrder,
  orderOfPage,
  type PageOrder,
  placeColumns,
  positionColumns,
  windowOf,
} from "./page-order-repo.ts";
import { hasPriceBounds, priceAt, withinPrices } from "./product-filter-repo.ts";
import { beforeEnd, endTables, reachOf, type Walk, walkedTo, withTables } from "./reach-repo.ts";

type Owner = { id: string };

/** So many products or fewer are read and sorted, and then the price's own order is not needed. */
const fewProducts = 500;

const productId = sql`listed.product_id`;

/**
 * The places of a page of a list by age or price, as rows of product_id and term_0. They are read in
 * order, until the page is full, from the index of the facets under which the fewest products stand.
 */
export function facetPage(business: Owner, query: ListQuery, by: "created_at" | "price"): SQL {
  const { filters, sort } = query;
  const { locationId } = filters;
  const wanted = wantedFacets(filters);
  if (by === "price") {
    return locationId === null
      ? pageByPrice(business, query, wanted)
      : pageByPriceAt(business, query, { wanted, locationId });
  }
  const order = { ...sort, terms: [sql`listed.created_at`], productId };
  const price = priceAt(locationId, { productId, price: listedPrice });
  const walk = facetWalk(business, query, { wanted, order, price, index: newest });
  return hasPriceBounds(filters)
    ? candidatesOr(business, query, walk)
    : pageOfWalk(query, walk, [facetTables(business, wanted)]);
}

const newest = sql`product_facets_newest`;
const byPrice = sql`product_facets_by_price`;

function pageOfWalk(query: ListQuery, walk: Walk, tables: readonly SQL[]): SQL {
  const { rows } = windowOf(query);
  return sql`${withTables([...tables, ...endTables(walk)])} ${walkedTo(walk, sql`${rows}`)}`;
}

/** By the prices that stand beside the facets. */
function pageByPrice(business: Owner, query: ListQuery, wanted: WantedFacets): SQL {
  const order = orderByPrice(query);
  const walk = facetWalk(business, query, { wanted, order, price: listedPrice, index: byPrice });
  return pageOfWalk(query, walk, [facetTables(business, wanted)]);
}

const listedPrice = sql`listed.price_minor`;

const orderByPrice = ({ sort }: ListQuery): PageOrder => ({
  ...sort,
  terms: [listedPrice],
  productId,
});

type At = Readonly<{ wanted: WantedFacets; locationId: string }>;

/**
 * What the location prices and what it does not are two lists, each in order: they are merged, as far
 * as the first of them goes.
 */
function pageByPriceAt(business: Owner, query: ListQuery, { wanted, locationId }: At): SQL {
  const { rows, offset } = windowOf(query);
  const whole = { ...query, limit: query.limit + offset, start: withoutOffset(query.start) };
  const order = orderOfPage(query.sort);
  const walk: Walk = {
    places: (limit) => sql`select page.product_id, page.term_0, page.is_end from both as page
      where page.is_end = 0 and ${beforeEnd(order)}
      order by ${inOrder(order)} limit ${limit} offset ${offset}`,
    end: (limit) => sql`select page.product_id, page.term_0 from both as page
      where page.is_end = 1 order by ${inOrder(order)} limit ${limit}`,
  };
  const both = sql`both (product_id, term_0, is_end) as materialized (
    select * from (${pageByPrice(business, whole, atDefaultPrice(wanted, locationId))})
    union all
    select * from (${ownPricesPage(business, whole, { wanted, locationId })}))`;
  return sql`${withTables([both, ...endTables(walk)])} ${walkedTo(walk, sql`${rows}`)}`;
}

const withoutOffset = (start: ListQuery["start"]): ListQuery["start"] =>
  "after" in start ? start : { offset: 0 };

/** Little under another facet is sorted; much of it is met soon enough along the location's prices. */
function ownPricesPage(business: Owner, query: ListQuery, { wanted, locationId }: At): SQL {
  const walk = ownPricesWalk(business, query, { wanted, locationId });
  if (wanted.isEverything) return pageOfWalk(query, walk, []);
  const order = orderByPrice(query);
  const { rows } = windowOf(query);
  const areFew = sql`(select are_few from driven)`;
  const tables = [
    facetTables(business, wanted),
    sql`driven (are_few) as materialized (select ${isDriverWithin(business, fewProducts)})`,
    ...endTables(walk, sql`iif(${areFew}, 0, 1)`),
  ];
  return sql`${withTables(tables)}
    select * from (
      select distinct ${placeColumns(order)}
      from driver cross join ${productFacets} as found indexed by ${newest}
        cross join ${productFacets} as listed
      where found.business_id = ${business.id} and found.facet = driver.facet
        and listed.product_id = found.product_id and listed.facet = ${facets.pricedAt(locationId)}
        and ${narrowedTo(query, { wanted, order, price: listedPrice, isDriven: true })}
      order by ${inOrder(order)} limit iif(${areFew}, ${rows}, 0))
    union all
    select * from (${walkedTo(walk, sql`iif(${areFew}, 0, ${rows})`)})`;
}

/** Along the prices that the location gives. */
function ownPricesWalk(business: Owner, query: ListQuery, { wanted, locationId }: At): Walk {
  const order = orderByPrice(query);
  const isDriven = false;
  const reach = reachOf(query, wanted, { isDriven });
  const listed = sql`from ${productFacets} as listed indexed by ${byPrice}
    where listed.business_id = ${business.id} and listed.facet = ${facets.pricedAt(locationId)}`;
  return {
    places: (rows) => sql`select ${placeColumns(order)} ${listed}
      and ${narrowedTo(query, { wanted, order, price: listedPrice, isDriven })}
      ${reach === null ? sql`` : sql`and ${beforeEnd(order)}`}
      order by ${inOrder(order)} limit ${rows}`,
    end:
      reach === null
        ? null
        : (rows) => sql`select ${positionColumns(order)} ${listed}
        and ${behind(order, query.start)} and ${withinPrices(listedPrice, query.filters)}
        order by ${inOrder(order)} limit ${rows} offset ${reach - 1}`,
  };
}
