import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { products, productVariants } from "../tables.ts";
import { categoryTreeIds } from "./facet-query.ts";
import { matchesSearch } from "./search-query.ts";

/** The filters of a merchant's list, which also shows inactive products. */
export type MerchantProductFilter = Readonly<{
  /** Words of the name, the description or the tags; or a whole SKU. */
  search?: string | undefined;
  /** A category, with its subcategories. */
  categoryId?: string | undefined;
  isActive?: boolean | undefined;
}>;

/** The sort values of the last product on the previous page; the list is newest first. */
export type ProductCursor = Readonly<{ createdAt: number; id: string }>;

type Page = Readonly<{ limit: number; after: ProductCursor | null }>;

/** SQL in parentheses for the ids of one page of a merchant's products. */
export const merchantProductIds = (
  business: BusinessRef,
  { search, ...filter }: MerchantProductFilter,
  page: Page,
): SQL =>
  search === undefined
    ? idsFromIndex(business, filter, page)
    : idsOfSearch(business, { ...filter, search }, page);

const rootCategory = (categoryId: string): SQL => sql`id = ${categoryId}`;

/**
 * Reads a page from an index. Active and inactive products are separate ranges of the index, and so
 * are the categories of a tree. A page of each range is read, and the pages are merged.
 */
function idsFromIndex(
  business: BusinessRef,
  { categoryId, isActive }: Omit<MerchantProductFilter, "search">,
  { limit, after }: Page,
): SQL {
  const ranges = JSON.stringify(isActive === undefined ? [1, 0] : [Number(isActive)]);
  const categories =
    categoryId === undefined
      ? sql``
      : sql`cross join (${categoryTreeIds(business, rootCategory(categoryId))}) as branch`;
  const index = categoryId === undefined ? sql`products_newest` : sql`products_by_category`;
  return sql`(
    select listed.id from json_each(${ranges}) as state ${categories} cross join ${products} as listed
    where listed.id in (
      select product.id from ${products} as product indexed by ${index}
      where product.business_id = ${business.id} and product.is_active = state.value
        ${categoryId === undefined ? sql`` : sql`and product.category_id = branch.id`}
        and product.archived_at is null ${isAfter(sql`product`, after)}
      order by product.created_at desc, product.id desc limit ${limit})
    order by listed.created_at desc, listed.id desc limit ${limit})`;
}

/** Looks the products of a search up by id and sorts them. */
const idsOfSearch = (
  business: BusinessRef,
  { search, categoryId, isActive }: MerchantProductFilter & Readonly<{ search: string }>,
  { limit, after }: Page,
): SQL => sql`(
    select listed.id from ${products} as listed
    where listed.id in (
        select ${products.id} from ${products} where ${matchesSearch(business, search)}
        union
        select variant.product_id from ${productVariants} as variant indexed by product_variants_by_sku
        where variant.business_id = ${business.id} and variant.sku = ${search.trim()} collate nocase
          and variant.archived_at is null)
      and +listed.business_id = ${business.id} and listed.archived_at is null
      ${isActive === undefined ? sql`` : sql`and +listed.is_active = ${Number(isActive)}`}
      ${
        categoryId === undefined
          ? sql``
          : sql`and +listed.category_id in (${categoryTreeIds(business, rootCategory(categoryId))})`
      }
      ${isAfter(sql`listed`, after)}
    order by listed.created_at desc, listed.id desc limit ${limit})`;

const isAfter = (row: SQL, after: ProductCursor | null): SQL =>
  after === null
    ? sql``
    : sql`and (${row}.created_at, ${row}.id) < (${after.createdAt}, ${after.id})`;
