import { and, asc, desc, isNull, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Category } from "../categories/category.ts";
import type { Product } from "../product.ts";
import {
  type BundleRow,
  type CompositeRow,
  ownRow,
  type ProductRow,
  productFromRows,
  type VariantRow,
} from "../product-repo.ts";
import { bundles, categories, composites, products, productVariants } from "../tables.ts";

export type CategoryName = Pick<Category, "id" | "name" | "slug">;

/** A product as its merchant sees it: inactive ones too, and an archived one once more when it leaves. */
export type ProductRecord = Readonly<{
  product: Product;
  category: CategoryName | null;
  isArchived: boolean;
}>;

/** What stands after a product in the newest-first order. */
export type ProductCursor = Readonly<{ createdAt: number; id: string }>;

type Scope = Pick<Context, "db" | "business">;
type Reader = Pick<Context, "db"> & Readonly<{ business: { id: string } }>;

/**
 * The statements that read products whole, by a list of ids in SQL such as `(select …)`; to be put
 * in one batch with others, and `recordsFrom` makes the records of what it answers.
 *
 * @param alsoCategory a category that is read too, whether or not a product is in it.
 */
export function recordQueries(
  { db, business }: Reader,
  ids: SQL,
  alsoCategory: string | null = null,
) {
  const own = and(sql`${products.id} in ${ids}`, ownRow(products.businessId, business));
  const inThem = sql`in (select ${products.id} from ${products} where ${own})`;
  return [
    db.select().from(products).where(own).orderBy(desc(products.createdAt), desc(products.id)),
    db
      .select()
      .from(productVariants)
      .where(and(sql`${productVariants.productId} ${inThem}`, isNull(productVariants.archivedAt)))
      .orderBy(asc(productVariants.position)),
    db.select().from(bundles).where(sql`${bundles.productId} ${inThem}`),
    db.select().from(composites).where(sql`${composites.productId} ${inThem}`),
    db
      .select({ id: categories.id, name: categories.name, slug: categories.slug })
      .from(categories)
      .where(
        and(
          // One list, and not an OR, which would draw the planner to all of the business.
          sql`${categories.id} in (
            select ${products.categoryId} from ${products} where ${own} union select ${alsoCategory})`,
          ownRow(categories.businessId, business),
          isNull(categories.archivedAt),
        ),
      ),
  ] as const;
}

type RecordRows = readonly [
  readonly ProductRow[],
  readonly VariantRow[],
  readonly BundleRow[],
  readonly CompositeRow[],
  readonly CategoryName[],
];

export const recordsFrom = ([
  rows,
  variants,
  bundleRows,
  compositeRows,
  names,
]: RecordRows): ProductRecord[] =>
  rows.map((row) => ({
    product: productFromRows(row, { variants, bundles: bundleRows, composites: compositeRows }),
    category: names.find(({ id }) => id === row.categoryId) ?? null,
    isArchived: row.archivedAt !== null,
  }));

export const categoryIn = ([, , , , names]: RecordRows, id: string | null): CategoryName | null =>
  names.find((category) => category.id === id) ?? null;

/** A merchant's products, read in one round trip each time. */
export function productRecordRepo(scope: Scope) {
  const { db, business } = scope;

  return {
    /** Refuses (NOT_FOUND) what is unknown, another's, or archived. */
    async get(id: string): Promise<ProductRecord> {
      return live(recordsFrom(await db.batch(recordQueries(scope, sql`(${id})`))));
    },

    async getEvenArchived(id: string): Promise<ProductRecord> {
      const [record] = recordsFrom(await db.batch(recordQueries(scope, sql`(${id})`)));
      if (!record) throw notFound("product");
      return record;
    },

    /** With the category that the product is to have, if there is such a one. */
    async getForUpdate(
      id: string,
      categoryId: string | null,
    ): Promise<{ record: ProductRecord; found: CategoryName | null }> {
      const rows = await db.batch(recordQueries(scope, sql`(${id})`, categoryId));
      return { record: live(recordsFrom(rows)), found: categoryIn(rows, categoryId) };
    },

    /** Newest first; each half of the index over is_active gives a page, and the two are merged. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: ProductCursor | null;
    }): Promise<ProductRecord[]> {
      const half = (isActive: number) => sql`
        select * from (
          select ${products.id}, ${products.createdAt} from ${products}
          where ${products.businessId} = ${business.id} and ${products.isActive} = ${isActive}
            and ${products.archivedAt} is null
            ${after ? sql`and (${products.createdAt}, ${products.id}) < (${after.createdAt}, ${after.id})` : sql``}
          order by ${products.createdAt} desc, ${products.id} desc limit ${limit})`;
      const page = sql`(select id from (${half(1)} union all ${half(0)} order by created_at desc, id desc limit ${limit}))`;
      return recordsFrom(await db.batch(recordQueries(scope, page)));
    },
  };
}

/** The one record asked for, unless it is not there or archived. */
function live([record]: readonly ProductRecord[], what = "product"): ProductRecord {
  if (!record || record.isArchived) throw notFound(what);
  return record;
}
