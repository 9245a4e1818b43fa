import { and, asc, isNull, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import type { ExtraColumns } from "../csv/imported-product.ts";
import type { Product, Variant } from "../product.ts";
import {
  ownRow,
  type ProductRow,
  rowsOfProducts,
  type VariantRow,
  variantFromRow,
} from "../product-repo.ts";
import { products, productVariants } from "../tables.ts";

/** A variant with the columns of its file that have no field here. */
export type StoredVariant = Variant & Readonly<{ importedColumns: ExtraColumns }>;

/** A product as files know it: with its further columns, without what it may be built of. */
export type StoredProduct = Omit<Product, "variants" | "bundle" | "composite"> &
  Readonly<{ variants: readonly StoredVariant[]; importedColumns: ExtraColumns }>;

/** What stands before a page in the order of creation. */
export type StoredCursor = Readonly<{ createdAt: number; id: string }>;

type Scope = Pick<Context, "db" | "business">;

const own = ({ business }: Scope) =>
  and(sql`${products.businessId} = ${business.id}`, isNull(products.archivedAt));

/** A query of the ids of the business's products that have one of the slugs. */
export const idsOfSlugs = (scope: Scope, slugs: readonly string[]): SQL =>
  sql`select ${products.id} from ${products} where ${own(scope)}
    and ${products.slug} in (select value from json_each(${JSON.stringify(slugs)}))`;

/** A query of the next products' ids, inactive ones too; each half of the index gives a page. */
export function idsInOrder(
  scope: Scope,
  { limit, after }: { limit: number; after: StoredCursor | null },
): SQL {
  const half = (isActive: number) => sql`
    select * from (
      select ${products.id}, ${products.createdAt} from ${products}
      where ${own(scope)} and ${products.isActive} = ${isActive}
        ${after ? sql`and (${products.createdAt}, ${products.id}) > (${after.createdAt}, ${after.id})` : sql``}
      order by ${products.createdAt}, ${products.id} limit ${limit})`;
  return sql`select id from (${half(1)} union all ${half(0)} order by created_at, id limit ${limit})`;
}

/** The statements that read products by a query of ids, in the order of creation; for one batch. */
export const storedQueries = ({ db, business }: Scope, ids: SQL) =>
  [
    db
      .select()
      .from(products)
      .where(and(sql`${products.id} in (${ids})`, ownRow(products.businessId, business)))
      .orderBy(asc(products.createdAt), asc(products.id)),
    db
      .select()
      .from(productVariants)
      .where(rowsOfProducts(ids, business).variants)
      .orderBy(asc(productVariants.position)),
  ] as const;

/** What `storedQueries` answered, as products with what a file said of them besides. */
export function storedFrom(
  rows: readonly ProductRow[],
  variants: readonly VariantRow[],
): StoredProduct[] {
  const variantsOf = Map.groupBy(variants, ({ productId }) => productId);
  return rows.map(
    ({ businessId: _, archivedAt: __, popularity: ___, importedColumns, ...product }) => ({
      ...product,
      variants: (variantsOf.get(product.id) ?? []).map((row) => ({
        ...variantFromRow(row),
        importedColumns: row.importedColumns ?? {},
      })),
      importedColumns: importedColumns ?? {},
    }),
  );
}

/** Every column that some product or variant of the business has kept from its file. */
export async function findImportedColumns(scope: Scope): Promise<string[]> {
  const rows = await scope.db.all<{ name: string }>(
    sql`select kept.key as name
      from ${products}, json_each(${products.importedColumns}) as kept where ${own(scope)}
      union
      select kept.key
      from ${products}, ${productVariants}, json_each(${productVariants.importedColumns}) as kept
      where ${own(scope)} and ${productVariants.productId} = ${products.id}
        and ${productVariants.archivedAt} is null`,
  );
  return rows.map(({ name }) => name);
}
