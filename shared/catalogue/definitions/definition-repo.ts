import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { CategoryName } from "../categories/category.ts";
import type { Bundle, Composite } from "../product.ts";
import { productRowConditions } from "../product-conditions-query.ts";
import type { NewProduct } from "../products/product-draft.ts";
import {
  categoryById,
  type NewProductRows,
  newProductQueries,
  type ProductRecord,
  productRecordQueries,
  toProductRecords,
} from "../products/product-record-repo.ts";
import { bundles, composites, products, productVariants } from "../tables.ts";
import type { ComponentProduct, ComponentVariant } from "./component-products.ts";

const definitionTables = { bundle: bundles, composite: composites } as const;

type DefinitionContext = Pick<Context, "db" | "business">;

/** The part of a component that tells which product and variant to load. */
export type ComponentReference = Readonly<{ productId: string | null }>;

/**
 * Reads bundles or composites. Each of them is a product with an additional definition row, which
 * has its own id. Each read is one round trip.
 */
export function definitionRepo(ctx: DefinitionContext, kind: "bundle" | "composite") {
  const { db, business } = ctx;
  const table = definitionTables[kind];
  const productIdOf = (id: string) =>
    sql`(select ${table.productId} from ${table} where ${table.id} = ${id} and ${table.businessId} = ${business.id})`;

  return {
    /**
     * Reads a bundle or composite.
     * @throws Refusal NOT_FOUND, also for an archived one.
     */
    async get(id: string): Promise<ProductRecord> {
      const record = await this.getEvenArchived(id);
      if (record.isArchived) throw notFound(kind);
      return record;
    },

    async getEvenArchived(id: string): Promise<ProductRecord> {
      const [record] = toProductRecords(await db.batch(productRecordQueries(ctx, productIdOf(id))));
      if (!record) throw notFound(kind);
      return record;
    },

    /** Lists bundles or composites newest first. `after` is the last id of the previous page. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<ProductRecord[]> {
      const pageIdsQuery = sql`(
        select ${table.productId} from ${table}
        where ${table.businessId} = ${business.id} ${after === null ? sql`` : sql`and ${table.id} < ${after}`}
          and exists (select 1 from ${products} where ${products.id} = ${table.productId} and ${products.archivedAt} is null)
        order by ${table.id} desc limit ${limit})`;
      return toProductRecords(await db.batch(productRecordQueries(ctx, pageIdsQuery)));
    },

    /** Reads what is needed to check a new bundle or composite. */
    async findForInsert(
      product: Pick<NewProduct, "slug" | "name" | "categoryId">,
      components: readonly ComponentReference[],
    ): Promise<{ productRows: NewProductRows; componentProducts: ComponentProduct[] }> {
      const [slugRows, categoryRows, componentRows, variantRows] = await db.batch([
        ...newProductQueries(ctx, product),
        ...componentQueries(ctx, referencedIds(components)),
      ]);
      return {
        productRows: [slugRows, categoryRows],
        componentProducts: toComponentProducts(componentRows, variantRows),
      };
    },

    /**
     * Reads a bundle or composite for an update, with its new category and the products of its old
     * and new components.
     */
    async getForUpdate(
      id: string,
      {
        categoryId,
        components,
      }: { categoryId: string | null; components: readonly ComponentReference[] },
    ): Promise<{
      record: ProductRecord;
      newCategory: CategoryName | null;
      componentProducts: ComponentProduct[];
    }> {
      const currentIds = kind === "bundle" ? currentComponentIds(productIdOf(id)) : sql``;
      const [rows, variantRows, bundleRows, compositeRows, categoryRows, ...componentRows] =
        await db.batch([
          ...productRecordQueries(ctx, productIdOf(id), categoryId),
          ...componentQueries(ctx, sql`${referencedIds(components)} ${currentIds}`),
        ]);
      const recordRows = [rows, variantRows, bundleRows, compositeRows, categoryRows] as const;
      const [record] = toProductRecords(recordRows);
      if (!record || record.isArchived) throw notFound(kind);
      return {
        record,
        newCategory: categoryById(recordRows, categoryId),
        componentProducts: toComponentProducts(...componentRows),
      };
    },
  };
}

const referencedIds = (components: readonly ComponentReference[]): SQL =>
  sql`select value ->> '$.productId' as product_id
    from json_each(${JSON.stringify(components)})`;

const currentComponentIds = (productId: SQL): SQL =>
  sql`union select part.value ->> '$.productId'
    from ${bundles}, json_each(${bundles.components}) as part where ${bundles.productId} = ${productId}`;

/**
 * Queries of components.
 * @param productIds a query that selects a column product_id.
 */
function componentQueries({ db, business }: DefinitionContext, productIds: SQL) {
  const conditions = productRowConditions(sql`select product_id from (${productIds})`, business);
  return [
    db
      .select({
        id: products.id,
        productType: products.productType,
        defaultPriceMinor: products.defaultPriceMinor,
        compareAtPriceMinor: products.compareAtPriceMinor,
        priceOverrides: products.priceOverrides,
      } satisfies Record<keyof Omit<ComponentProduct, "variants">, unknown>)
      .from(products)
      .where(conditions.products),
    db
      .select({
        id: productVariants.id,
        productId: productVariants.productId,
        priceAdjustmentMinor: productVariants.priceAdjustmentMinor,
        compareAtPriceMinor: productVariants.compareAtPriceMinor,
        isDefault: productVariants.isDefault,
        isActive: productVariants.isActive,
      } satisfies Record<keyof ComponentVariant, unknown>)
      .from(productVariants)
      .where(conditions.variants)
      .orderBy(asc(productVariants.position)),
  ] as const;
}

function toComponentProducts(
  rows: readonly Omit<ComponentProduct, "variants">[],
  variantRows: readonly ComponentVariant[],
): ComponentProduct[] {
  const variantsByProduct = Map.groupBy(variantRows, ({ productId }) => productId);
  return rows.map((row) => ({ ...row, variants: variantsByProduct.get(row.id) ?? [] }));
}

/** The statements that write the definition rows of bundles and composites. */
export function definitionWriteRepo({ db, business }: DefinitionContext) {
  return {
    insertBundle: (bundle: Bundle): Write =>
      db.insert(bundles).values({ ...bundle, businessId: business.id }),
    updateBundle: ({ id, components, pricing }: Bundle): Write =>
      db
        .update(bundles)
        .set({ components, pricing })
        .where(and(eq(bundles.id, id), eq(bundles.businessId, business.id))),
    insertComposite: (composite: Composite): Write =>
      db.insert(composites).values({ ...composite, businessId: business.id }),
    updateComposite: ({ id, basePriceMinor, groups }: Composite): Write =>
      db
        .update(composites)
        .set({ basePriceMinor, groups })
        .where(and(eq(composites.id, id), eq(composites.businessId, business.id))),
  };
}
