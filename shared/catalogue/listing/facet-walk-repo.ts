import { type SQL, sql } from "drizzle-orm";
import { productFacetCounts, productFacets } from "../tables.ts";
import { narrowedTo } from "./facet-repo.ts";
import type { WantedFacets } from "./facets.ts";
import type { ListQuery } from "./listing.ts";
import {
  behind,
  inOrder,
  type PageOrder,
  placeColumns,
  positionColumns,
  windowOf,
} from "./page-order-repo.ts";
import { withinPrices } from "./product-filter-repo.ts";
import { beforeEnd, reachOf, type Walk } from "./reach-repo.ts";

type Along = Readonly<{
  wanted: WantedFacets;
  /** Of rows of product_facets that are called `listed`. */
  order: PageOrder;
  price: SQL;
  /** The facets' index in that order. */
  index: SQL;
}>;

/** The primary key: the planner would build an index of its own instead. */
const byProduct = sql`sqlite_autoindex_product_facets_1`;

/**
 * A walk along the driver's facets, in the index's order. Where they are several they are merged; a
 * product that stands under two of them is there once.
 */
export function facetWalk(business: { id: string }, query: ListQuery, along: Along): Walk {
  const { wanted, order, price, index } = along;
  const { offset } = windowOf(query);
  const reach = reachOf(query, wanted, { isDriven: true });
  const narrowed = sql`${narrowedTo(query, { wanted, order, price, isDriven: true })}
    ${reach === null ? sql`` : sql`and ${beforeEnd(order)}`}`;
  const all = sql`${behind(order, query.start)}
    ${query.sort.by === "price" ? sql`and ${withinPrices(price, query.filters)}` : sql``}`;
  const under = (facet: SQL, condition: SQL) => sql`
    from ${productFacets} as listed indexed by ${index}
    where listed.business_id = ${business.id} and listed.facet = ${facet} and ${condition}
    order by ${inOrder(order)}`;
  if (wanted.isPlain) {
    const facet = sql`(select facet from driver)`;
    return {
      places: (rows) =>
        sql`select ${placeColumns(order)} ${under(facet, narrowed)} limit ${rows} offset ${offset}`,
      end:
        reach === null
          ? null
          : (rows) => sql`select ${positionColumns(order)} ${under(facet, all)}
          limit ${rows} offset ${reach - 1}`,
    };
  }
  if (reach === null) return { places: merged({ order, under, narrowed, offset }), end: null };
  const ofEach = sql`from driver cross join ${productFacets} as listed indexed by ${byProduct}
    where listed.facet = driver.facet`;
  return {
    places: (
      rows,
    ) => sql`select distinct ${placeColumns(order)} ${ofEach} and listed.product_id in (
        select listed.product_id ${under(sql`driver.facet`, narrowed)} limit ${rows} + ${offset})
      order by ${inOrder(order)} limit ${rows} offset ${offset}`,
    // Where the first of them ends: as far as that, nothing of the others is missing.
    end: (rows) => sql`select ${positionColumns(order)} ${ofEach} and listed.product_id = (
        select listed.product_id ${under(sql`driver.facet`, all)}
        limit 1 offset cast(max(${query.limit}, ${evenShare(business, reach)}) as integer))
      order by ${inOrder(order)} limit ${rows}`,
  };
}

/**
 * How many products are looked at under each of the driver's facets, `reach` under all of them: what
 * small ones leave goes to the others, so that a branch of many small categories and a large one is
 * read in steps as long as any. From the smallest on each facet is offered an even part of what those
 * before it left; the largest offer is the first that is not used up, and no later one exceeds it.
 */
const evenShare = (business: { id: string }, reach: number): SQL => sql`coalesce((
  select max(1.0 * (${reach} - smaller) / facets) from (
    select count(*) over () - row_number() over bySize + 1 as facets,
      sum(products) over bySize - products as smaller
    from (select driver.facet, coalesce(counted.products, 0) as products
      from driver left join ${productFacetCounts} as counted
        on counted.business_id = ${business.id} and counted.facet = driver.facet)
    window bySize as (order by products, facet rows unbounded preceding))), 0)`;

type Merge = Readonly<{
  order: PageOrder;
  /** The rows of a facet that fulfil a condition, in order. */
  under: (facet: SQL, condition: SQL) => SQL;
  narrowed: SQL;
  offset: number;
}>;

/**
 * Of each facet the next row waits in a queue, from which the first of all is taken and its successor
 * put in its place: as many rows are read as there are facets and places before the page's end.
 */
function merged({ order, under, narrowed, offset }: Merge): Walk["places"] {
  const { terms, productId, direction } = order;
  const [than, down] = direction === "asc" ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  // An id without the column's affinity, or the index would be searched by the term alone.
  const further = sql`(${sql.join([...terms, productId], sql`, `)}) ${than}
    (queue.term_0, queue.product_id || '')`;
  const firstOf = (facet: SQL, condition: SQL) => sql`
    cross join ${productFacets} as listed indexed by ${byProduct}
    where listed.facet = ${facet} and listed.product_id = (
      select listed.product_id ${under(facet, condition)} limit 1)`;
  return (rows) => sql`select * from (
    with recursive queue (product_id, term_0, facet) as (
      select ${positionColumns(order)}, driver.facet from driver
        ${firstOf(sql`driver.facet`, narrowed)}
      union all
      select ${positionColumns(order)}, queue.facet from queue
        ${firstOf(sql`queue.facet`, sql`${narrowed} and ${further}`)}
      order by 2 ${down}, 1 ${down})
    select distinct product_id, term_0, 0 as is_end from queue limit ${rows} offset ${offset})`;
}
