import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness } from "../../database/index.ts";
import { notFound, slugOrDefault } from "../../kernel/index.ts";
import type { BusinessRef, CatalogueReader } from "../catalogue-version-repo.ts";
import type { CategoryName } from "../categories/category.ts";
import { categoryTreeIds } from "../categories/category-tree-query.ts";
import { matchesSearch } from "../listing/search-query.ts";
import type { Product } from "../product.ts";
import {
  type BundleRow,
  type CompositeRow,
  type ProductRow,
  toProduct,
  type VariantRow,
} from "../product-row.ts";
import { isSlugCandidate } from "../slug-query.ts";
import { bundles, categories, composites, products, productVariants } from "../tables.ts";
import type { NewProduct } from "./product-draft.ts";

/**
 * A product as the merchant sees it, also when it is inactive. An archived product is only shown in
 * the response to the call that archives it.
 */
export type ProductRecord = Readonly<{
  product: Product;
  category: CategoryName | null;
  isArchived: boolean;
}>;

/** The filters of a merchant's list, which also shows inactive products. */
type MerchantProductFilter = Readonly<{
  /** Words of the name, the description or the tags; or a whole SKU. */
  search?: string | undefined;
  ids?: readonly string[] | undefined;
  /** A category, with its subcategories. */
  categoryId?: string | undefined;
  isActive?: boolean | undefined;
}>;

type PlaceFilter = Pick<MerchantProductFilter, "categoryId" | "isActive">;

/** The sort values of the last product on the previous page; the list is newest first. */
export type ProductCursor = Readonly<{ createdAt: number; id: string }>;

type RecordPage = Readonly<{ limit: number; after: ProductCursor | null }>;

/** Reads a merchant's products; each read is one round trip. */
export function productRecordRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;

  return {
    /**
     * Reads a product.
     * @throws Refusal NOT_FOUND, also for an archived product.
     */
    async get(id: string): Promise<ProductRecord> {
      return requireLive(toProductRecords(await db.batch(productRecordQueries(ctx, sql`(${id})`))));
    },

    async getEvenArchived(id: string): Promise<ProductRecord> {
      const [record] = toProductRecords(await db.batch(productRecordQueries(ctx, sql`(${id})`)));
      if (!record) throw notFound("product");
      return record;
    },

    /** Reads a product for an update, together with the category to which it will be moved. */
    async getForUpdate(
      id: string,
      categoryId: string | null,
    ): Promise<{ record: ProductRecord; newCategory: CategoryName | null }> {
      const rows = await db.batch(productRecordQueries(ctx, sql`(${id})`, categoryId));
      return {
        record: requireLive(toProductRecords(rows)),
        newCategory: categoryById(rows, categoryId),
      };
    },

    /** Lists products newest first, active and inactive ones. */
    async list(filter: MerchantProductFilter, page: RecordPage): Promise<ProductRecord[]> {
      const ids = pageIds(business, filter, page);
      return toProductRecords(await db.batch(productRecordQueries(ctx, ids)));
    },
  };
}

/**
 * The queries of product records for a batch. `toProductRecords` reads their results. `ids` is a
 * list of ids in SQL such as `(select …)`.
 *
 * @param categoryId an active category that is also selected, even when no product is in it.
 */
export function productRecordQueries(
  { db, business }: CatalogueReader,
  ids: SQL,
  categoryId: string | null = null,
) {
  const isSelected = and(
    sql`${products.id} in ${ids}`,
    isRowOfBusiness(products.businessId, business),
  );
  const inSelected = sql`in (select ${products.id} from ${products} where ${isSelected})`;
  return [
    db
      .select()
      .from(products)
      .where(isSelected)
      .orderBy(desc(products.createdAt), desc(products.id)),
    db
      .select()
      .from(productVariants)
      .where(
        and(sql`${productVariants.productId} ${inSelected}`, isNull(productVariants.archivedAt)),
      )
      .orderBy(asc(productVariants.position)),
    db.select().from(bundles).where(sql`${bundles.productId} ${inSelected}`),
    db.select().from(composites).where(sql`${composites.productId} ${inSelected}`),
    db
      .select(categoryNameColumns)
      .from(categories)
      .where(
        and(
          // One list of ids instead of an OR, because with an OR SQLite would scan the whole
          // business.
          sql`${categories.id} in (
            select ${products.categoryId} from ${products} where ${isSelected} union select ${categoryId})`,
          isRowOfBusiness(categories.businessId, business),
          isNull(categories.archivedAt),
        ),
      ),
  ] as const;
}

type ProductRecordRows = readonly [
  readonly ProductRow[],
  readonly VariantRow[],
  readonly BundleRow[],
  readonly CompositeRow[],
  readonly CategoryName[],
];

export const toProductRecords = ([
  rows,
  variants,
  bundleRows,
  compositeRows,
  categoryRows,
]: ProductRecordRows): ProductRecord[] =>
  rows.map((row) => ({
    product: toProduct(row, { variants, bundles: bundleRows, composites: compositeRows }),
    category: categoryRows.find(({ id }) => id === row.categoryId) ?? null,
    isArchived: row.archivedAt !== null,
  }));

export const categoryById = (
  [, , , , categoryRows]: ProductRecordRows,
  id: string | null,
): CategoryName | null => categoryRows.find((category) => category.id === id) ?? null;

/** The results of `newProductQueries`. */
export type NewProductRows = readonly [
  takenSlugs: readonly Readonly<{ slug: string }>[],
  category: readonly CategoryName[],
];

/**
 * Selects what is needed to check a new product: which candidates for its slug are taken, and its
 * category.
 */
export function newProductQueries(
  { db, business }: Pick<Context, "db" | "business">,
  product: Pick<NewProduct, "slug" | "name" | "categoryId">,
) {
  return [
    db
      .select({ slug: products.slug })
      .from(products)
      .where(
        and(
          eq(products.businessId, business.id),
          isNull(products.archivedAt),
          isSlugCandidate(products.slug, slugOrDefault(product, "product")),
        ),
      ),
    db
      .select(categoryNameColumns)
      .from(categories)
      .where(
        and(
          eq(categories.businessId, business.id),
          isNull(categories.archivedAt),
          sql`${categories.id} = ${product.categoryId}`,
        ),
      ),
  ] as const;
}

const categoryNameColumns = { id: categories.id, name: categories.name, slug: categories.slug };

function requireLive([record]: readonly ProductRecord[]): ProductRecord {
  if (!record || record.isArchived) throw notFound("product");
  return record;
}

/** SQL in parentheses for the ids of one page of a merchant's products. */
const pageIds = (
  business: BusinessRef,
  { search, ids, ...filter }: MerchantProductFilter,
  page: RecordPage,
): SQL => {
  const candidates = [
    ...(search === undefined ? [] : [idsOfSearch(business, search)]),
    ...(ids === undefined ? [] : [sql`select value from json_each(${JSON.stringify(ids)})`]),
  ];
  return candidates.length === 0
    ? idsFromIndex(business, filter, page)
    : idsOfCandidates(business, sql.join(candidates, sql` intersect `), { filter, page });
};

const rootCategory = (categoryId: string): SQL => sql`id = ${categoryId}`;

/**
 * Reads a page from an index. Active and inactive products are separate ranges of the index, and so
 * are the categories of a tree. A page of each range is read, and the pages are merged.
 */
function idsFromIndex(
  business: BusinessRef,
  { categoryId, isActive }: PlaceFilter,
  { limit, after }: RecordPage,
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

/** The products that a search finds by their words or by a SKU. */
const idsOfSearch = (business: BusinessRef, search: string): SQL => sql`
    select ${products.id} from ${products} where ${matchesSearch(business, search)}
    union
    select variant.product_id from ${productVariants} as variant indexed by product_variants_by_sku
    where variant.business_id = ${business.id} and variant.sku = ${search.trim()} collate nocase
      and variant.archived_at is null`;

/** Looks products up by id, of which `candidates` selects few, and sorts them. */
const idsOfCandidates = (
  business: BusinessRef,
  candidates: SQL,
  {
    filter: { categoryId, isActive },
    page: { limit, after },
  }: Readonly<{ filter: PlaceFilter; page: RecordPage }>,
): SQL => sql`(
    select listed.id from ${products} as listed
    where listed.id in (${candidates})
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
