import { and, asc, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness, jsonChunks, type Write } from "../../database/index.ts";
import { canonicalJson } from "../../kernel/index.ts";
import type { Product, Variant } from "../product.ts";
import { productRowConditions } from "../product-conditions-query.ts";
import { type ProductRow, toProductFields, toVariant, type VariantRow } from "../product-row.ts";
import { products, productVariants } from "../tables.ts";
import type { ProductCursor } from "./product-record-repo.ts";
import { replaceVariants } from "./variant-write-repo.ts";

/** Columns of an imported file that the catalogue has no field for: column name to cell text. */
export type ImportedColumns = Readonly<Record<string, string>>;

export type StoredVariant = Variant & Readonly<{ importedColumns: ImportedColumns }>;

/**
 * A product as imports and exports see it: with imported columns, without the fields of bundles and
 * composites.
 */
export type StoredProduct = Omit<Product, "variants" | "bundle" | "composite"> &
  Readonly<{ variants: readonly StoredVariant[]; importedColumns: ImportedColumns }>;

/** A product's change; `before` is null for a new product. */
export type StoredProductChange = Readonly<{ before: StoredProduct | null; after: StoredProduct }>;

type StoreContext = Pick<Context, "db" | "business">;

/** Reads and writes many products at a time, for imports and exports. */
export function storedProductRepo(ctx: Pick<Context, "db" | "business" | "now">) {
  return {
    /** A query of the ids of the products that have one of the slugs. */
    idsBySlug: (slugs: readonly string[]): SQL =>
      sql`select ${products.id} from ${products} where ${isLiveProduct(ctx)}
        and ${products.slug} in (select value from json_each(${JSON.stringify(slugs)}))`,

    /**
     * A query of the ids of the next products in the order of creation, including inactive ones.
     * Active and inactive products are separate ranges of the index, whose rows are merged.
     */
    idsOfPage({ limit, after }: { limit: number; after: ProductCursor | null }): SQL {
      const oldest = (isActive: number) => sql`
        select * from (
          select ${products.id}, ${products.createdAt} from ${products}
          where ${isLiveProduct(ctx)} and ${products.isActive} = ${isActive}
            ${after ? sql`and (${products.createdAt}, ${products.id}) > (${after.createdAt}, ${after.id})` : sql``}
          order by ${products.createdAt}, ${products.id} limit ${limit})`;
      return sql`select id from (${oldest(1)} union all ${oldest(0)} order by created_at, id limit ${limit})`;
    },

    /**
     * Selects products in the order of creation and their variants; add the queries to a batch.
     * `ids` is a query of ids.
     */
    queries: (ids: SQL) => storedProductQueries(ctx, ids),

    /** Converts the results of `queries` to products. */
    fromRows: toStoredProducts,

    /**
     * The statements that write the changes. Their number grows with the length of the data, not
     * with the number of products.
     */
    writes: (changes: readonly StoredProductChange[]): Write[] => storedProductWrites(ctx, changes),

    findUsedColumns: () => findUsedColumns(ctx),
  };
}

const isLiveProduct = ({ business }: StoreContext) =>
  and(sql`${products.businessId} = ${business.id}`, isNull(products.archivedAt));

const storedProductQueries = ({ db, business }: StoreContext, ids: SQL) =>
  [
    db
      .select()
      .from(products)
      .where(and(sql`${products.id} in (${ids})`, isRowOfBusiness(products.businessId, business)))
      .orderBy(asc(products.createdAt), asc(products.id)),
    db
      .select()
      .from(productVariants)
      .where(productRowConditions(ids, business).variants)
      .orderBy(asc(productVariants.position)),
  ] as const;

function toStoredProducts(
  rows: readonly ProductRow[],
  variantRows: readonly VariantRow[],
): StoredProduct[] {
  const variantsByProduct = Map.groupBy(variantRows, ({ productId }) => productId);
  return rows.map((row) => ({
    ...toProductFields(row),
    variants: (variantsByProduct.get(row.id) ?? []).map((variantRow) => ({
      ...toVariant(variantRow),
      importedColumns: variantRow.importedColumns ?? {},
    })),
    importedColumns: row.importedColumns ?? {},
  }));
}

/**
 * The names of all imported columns that a product or variant of the business has, and whether a
 * product has another tax class than `standard`.
 */
async function findUsedColumns(
  ctx: StoreContext,
): Promise<Readonly<{ importedColumns: readonly string[]; hasTaxClasses: boolean }>> {
  const [names, [other]] = await ctx.db.batch([
    ctx.db.select({ name: sql<string>`used.name` }).from(sql`(select stored.key as name
      from ${products}, json_each(${products.importedColumns}) as stored where ${isLiveProduct(ctx)}
      union
      select stored.key
      from ${products}, ${productVariants}, json_each(${productVariants.importedColumns}) as stored
      where ${isLiveProduct(ctx)} and ${productVariants.productId} = ${products.id}
        and ${productVariants.archivedAt} is null) as used`),
    ctx.db
      .select({ taxClass: products.taxClass })
      .from(products)
      .where(and(isLiveProduct(ctx), sql`${products.taxClass} <> 'standard'`))
      .limit(1),
  ]);
  return { importedColumns: names.map(({ name }) => name), hasTaxClasses: other !== undefined };
}

function storedProductWrites(
  ctx: Pick<Context, "db" | "business" | "now">,
  changes: readonly StoredProductChange[],
): Write[] {
  const created = changes.filter(({ before }) => before === null);
  const updated = changes.filter(({ before }) => before !== null);
  const changedVariants = changes.filter(
    ({ before, after }) => canonicalJson(before?.variants ?? []) !== canonicalJson(after.variants),
  );
  const variantWrites = () =>
    replaceVariants(ctx, {
      productIds: changedVariants.map(({ after }) => after.id),
      variants: changedVariants.flatMap(({ after }) => after.variants),
      now: ctx.now(),
      hasImportedColumns: true,
    });
  return [
    ...jsonChunks(created.map(({ after }) => after)).map((json) => insertProducts(ctx, json)),
    ...jsonChunks(updated.map(toUpdateRow)).map((json) => updateProducts(ctx, json)),
    ...(changedVariants.length > 0 ? variantWrites() : []),
  ];
}

/**
 * Inserts products.
 * @param json products as a JSON array.
 */
const insertProducts = ({ db, business }: StoreContext, json: string): Write =>
  db.insert(products).select(
    sql`select value ->> '$.id', ${business.id}, value ->> '$.name', value ->> '$.slug',
      value ->> '$.description', value ->> '$.categoryId', value ->> '$.taxonomyId',
      value ->> '$.defaultPriceMinor', value ->> '$.compareAtPriceMinor', value ->> '$.taxClass',
      value ->> '$.productType', value ->> '$.inventoryType',
      value ->> '$.isActive', value ->> '$.isFeatured', value -> '$.tags', value -> '$.properties',
      value -> '$.images', value -> '$.variantAxes', value -> '$.addOns',
      value -> '$.priceOverrides', value -> '$.schedules', value -> '$.billingPlanIds',
      value ->> '$.weightGrams', value ->> '$.requiresShipping', 0,
      value -> '$.importedColumns', null, value ->> '$.createdAt', value ->> '$.updatedAt'
      from json_each(${json})`,
  );

/**
 * The fields that a file can change. The time of the last change that was read is added, to detect
 * concurrent changes.
 */
const toUpdateRow = ({ before, after }: StoredProductChange) => ({
  id: after.id,
  name: after.name,
  description: after.description,
  defaultPriceMinor: after.defaultPriceMinor,
  compareAtPriceMinor: after.compareAtPriceMinor,
  taxClass: after.taxClass,
  inventoryType: after.inventoryType,
  isActive: after.isActive,
  tags: after.tags,
  images: after.images,
  variantAxes: after.variantAxes,
  weightGrams: after.weightGrams,
  requiresShipping: after.requiresShipping,
  importedColumns: after.importedColumns,
  previousUpdatedAt: before?.updatedAt,
  updatedAt: after.updatedAt,
});

/**
 * Updates products. Fails on `products.updated_at` when one of the rows has changed since it was
 * read.
 */
const updateProducts = ({ db, business }: StoreContext, json: string): Write =>
  db
    .update(products)
    .set({
      name: sql`entry.value ->> '$.name'`,
      description: sql`entry.value ->> '$.description'`,
      defaultPriceMinor: sql`entry.value ->> '$.defaultPriceMinor'`,
      compareAtPriceMinor: sql`entry.value ->> '$.compareAtPriceMinor'`,
      taxClass: sql`entry.value ->> '$.taxClass'`,
      inventoryType: sql`entry.value ->> '$.inventoryType'`,
      isActive: sql`entry.value ->> '$.isActive'`,
      tags: sql`entry.value -> '$.tags'`,
      images: sql`entry.value -> '$.images'`,
      variantAxes: sql`entry.value -> '$.variantAxes'`,
      weightGrams: sql`entry.value ->> '$.weightGrams'`,
      requiresShipping: sql`entry.value ->> '$.requiresShipping'`,
      importedColumns: sql`entry.value -> '$.importedColumns'`,
      updatedAt: sql`case when ${products.updatedAt} = entry.value ->> '$.previousUpdatedAt'
        and ${products.archivedAt} is null then entry.value ->> '$.updatedAt' end`,
    })
    .from(sql`json_each(${json}) as entry`)
    .where(
      and(
        sql`${products.id} = entry.value ->> '$.id'`,
        isRowOfBusiness(products.businessId, business),
      ),
    );
