import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { CatalogueReader } from "../catalogue-version-repo.ts";
import type { CategoryName } from "../categories/category.ts";
import type { Product } from "../product.ts";
import {
  type BundleRow,
  type CompositeRow,
  type ProductRow,
  toProduct,
  type VariantRow,
} from "../product-row.ts";
import { slugOrDefault } from "../slug.ts";
import { isSlugCandidate } from "../slug-query.ts";
import { bundles, categories, composites, products, productVariants } from "../tables.ts";
import type { NewProduct } from "./product-draft.ts";

/**
 * A product as its merchant sees it: also inactive, and archived in the response to the archiving
 * call.
 */
export type ProductRecord = Readonly<{
  product: Product;
  category: CategoryName | null;
  isArchived: boolean;
}>;

/** The last product of the previous page; the list is newest first. */
export type ProductCursor = Readonly<{ createdAt: number; id: string }>;

/** Reads a merchant's products; each read is one round trip. */
export function productRecordRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;

  return {
    /** @throws Refusal NOT_FOUND, also for an archived product. */
    async get(id: string): Promise<ProductRecord> {
      return requireLive(toProductRecords(await db.batch(productRecordQueries(ctx, sql`(${id})`))));
    },

    async getEvenArchived(id: string): Promise<ProductRecord> {
      const [record] = toProductRecords(await db.batch(productRecordQueries(ctx, sql`(${id})`)));
      if (!record) throw notFound("product");
      return record;
    },

    /** Also returns the live category with this id, for a product that moves to it. */
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

    /** Newest first. Active and inactive products are two ranges of the index, which are merged. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: ProductCursor | null;
    }): Promise<ProductRecord[]> {
      const newest = (isActive: number) => sql`
        select * from (
          select ${products.id}, ${products.createdAt} from ${products}
          where ${products.businessId} = ${business.id} and ${products.isActive} = ${isActive}
            and ${products.archivedAt} is null
            ${after ? sql`and (${products.createdAt}, ${products.id}) < (${after.createdAt}, ${after.id})` : sql``}
          order by ${products.createdAt} desc, ${products.id} desc limit ${limit})`;
      const page = sql`(select id from (${newest(1)} union all ${newest(0)} order by created_at desc, id desc limit ${limit}))`;
      return toProductRecords(await db.batch(productRecordQueries(ctx, page)));
    },
  };
}

/**
 * The queries of product records, for a batch whose results `toProductRecords` reads. `ids` is a
 * list of ids in SQL such as `(select …)`.
 *
 * @param categoryId a live category that is selected too, whether or not a product is in it.
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
          // One list and not an OR, with which the planner would scan the whole business.
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
 * Selects what a new product is checked against: the taken ones of its slug candidates, and its
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
