import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Bundle, Composite } from "../product.ts";
import { rowsOfProducts } from "../product-repo.ts";
import type { Surroundings } from "../products/plan-product.ts";
import {
  type CategoryName,
  categoryIn,
  type ProductRecord,
  recordQueries,
  recordsFrom,
} from "../products/product-record-repo.ts";
import { newProductQueries } from "../products/product-write-repo.ts";
import { bundles, composites, products, productVariants } from "../tables.ts";
import type { ComponentParts, PartProduct, PartVariant } from "./component-parts.ts";

type Kind = "bundle" | "composite";

const tableOf = { bundle: bundles, composite: composites } as const;

/** What a component is made of, as far as it has to be looked up. */
export type WantedPart = Readonly<{ productId: string | null }>;

type Scope = Pick<Context, "db" | "business">;

/** Bundles and composites: products with a definition beside them, which is found by its own id. */
export function definitionRecordRepo(scope: Scope, kind: Kind) {
  const { db, business } = scope;
  const table = tableOf[kind];
  const productOf = (id: string) =>
    sql`(select ${table.productId} from ${table} where ${table.id} = ${id} and ${table.businessId} = ${business.id})`;

  return {
    /** Refuses (NOT_FOUND) what is unknown, another's or archived. */
    async get(id: string): Promise<ProductRecord> {
      const record = await this.getEvenArchived(id);
      if (record.isArchived) throw notFound(kind);
      return record;
    },

    async getEvenArchived(id: string): Promise<ProductRecord> {
      const [record] = recordsFrom(await db.batch(recordQueries(scope, productOf(id))));
      if (!record) throw notFound(kind);
      return record;
    },

    /** Newest first; `after` is the id of the last one seen. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<ProductRecord[]> {
      const page = sql`(
        select ${table.productId} from ${table}
        where ${table.businessId} = ${business.id} ${after === null ? sql`` : sql`and ${table.id} < ${after}`}
          and exists (select 1 from ${products} where ${products.id} = ${table.productId} and ${products.archivedAt} is null)
        order by ${table.id} desc limit ${limit})`;
      return recordsFrom(await db.batch(recordQueries(scope, page)));
    },

    /** One round trip: what `newProductQueries` asks, and the components' products. */
    async surroundings(
      wanted: { slug: string; categoryId: string | null },
      parts: readonly WantedPart[],
    ): Promise<{ surroundings: Surroundings; parts: ComponentParts }> {
      const [slugs, names, partProducts, variants] = await db.batch([
        ...newProductQueries(scope, wanted),
        ...partQueries(scope, wantedParts(parts)),
      ]);
      return { surroundings: [slugs, names], parts: partsFrom(partProducts, variants) };
    },

    /** One round trip: the record, the category it is to have, and the products of old and new components. */
    async getForUpdate(
      id: string,
      { categoryId, parts }: { categoryId: string | null; parts: readonly WantedPart[] },
    ): Promise<{ record: ProductRecord; found: CategoryName | null; parts: ComponentParts }> {
      const known = kind === "bundle" ? knownParts(productOf(id)) : sql``;
      const [rows, variants, bundleRows, compositeRows, names, partProducts, partVariants] =
        await db.batch([
          ...recordQueries(scope, productOf(id), categoryId),
          ...partQueries(scope, sql`${wantedParts(parts)} ${known}`),
        ]);
      const read = [rows, variants, bundleRows, compositeRows, names] as const;
      const [record] = recordsFrom(read);
      if (!record || record.isArchived) throw notFound(kind);
      return {
        record,
        found: categoryIn(read, categoryId),
        parts: partsFrom(partProducts, partVariants),
      };
    },
  };
}

const wantedParts = (parts: readonly WantedPart[]): SQL =>
  sql`select value ->> '$.productId' as product_id
    from json_each(${JSON.stringify(parts)})`;

const knownParts = (productId: SQL): SQL =>
  sql`union select part.value ->> '$.productId'
    from ${bundles}, json_each(${bundles.components}) as part where ${bundles.productId} = ${productId}`;

/** @param parts a query of product_id. */
function partQueries({ db, business }: Scope, parts: SQL) {
  const chosen = rowsOfProducts(sql`select product_id from (${parts})`, business);
  return [
    db
      .select({
        id: products.id,
        productType: products.productType,
        defaultPriceMinor: products.defaultPriceMinor,
        priceOverrides: products.priceOverrides,
      } satisfies Record<keyof Omit<PartProduct, "variants">, unknown>)
      .from(products)
      .where(chosen.products),
    db
      .select({
        id: productVariants.id,
        productId: productVariants.productId,
        priceAdjustmentMinor: productVariants.priceAdjustmentMinor,
        isDefault: productVariants.isDefault,
        isActive: productVariants.isActive,
      } satisfies Record<keyof PartVariant, unknown>)
      .from(productVariants)
      .where(chosen.variants)
      .orderBy(asc(productVariants.position)),
  ] as const;
}

function partsFrom(
  rows: readonly Omit<PartProduct, "variants">[],
  variants: readonly PartVariant[],
): ComponentParts {
  const variantsOf = Map.groupBy(variants, ({ productId }) => productId);
  return { products: rows.map((row) => ({ ...row, variants: variantsOf.get(row.id) ?? [] })) };
}

export function definitionWriteRepo({ db, business }: Scope) {
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
