import { and, asc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Context, Db, Write } from "../database/index.ts";
import type { Product, Variant } from "./product.ts";
import { bundles, catalogueVersions, composites, products, productVariants } from "./tables.ts";

export type ProductRow = typeof products.$inferSelect;
export type VariantRow = typeof productVariants.$inferSelect;
type BundleRow = typeof bundles.$inferSelect;
type CompositeRow = typeof composites.$inferSelect;

/** Products read whole, with the version of the catalogue that they were read at. */
export type ReadProducts = Readonly<{ version: number; products: readonly Product[] }>;

/** Products of one business: there is no way to ask for another's. */
export function productRepo({ db, business }: { db: Db; business: { id: string } }) {
  const own = eq(products.businessId, business.id);
  const live = and(own, isNull(products.archivedAt));

  /** One round trip for any number of products; inactive ones are included, archived ones not. */
  async function read(chosen: SQL | undefined): Promise<ReadProducts> {
    const ids = sql`(select ${products.id} from ${products} where ${and(live, chosen)})`;
    const [version, rows, variants, bundleRows, compositeRows] = await db.batch([
      versionQuery(db, business.id),
      db.select().from(products).where(and(live, chosen)),
      db
        .select()
        .from(productVariants)
        .where(and(sql`${productVariants.productId} in ${ids}`, isNull(productVariants.archivedAt)))
        .orderBy(asc(productVariants.position)),
      db.select().from(bundles).where(sql`${bundles.productId} in ${ids}`),
      db.select().from(composites).where(sql`${composites.productId} in ${ids}`),
    ]);
    const read = { variants, bundles: bundleRows, composites: compositeRows };
    return { version: version[0]?.version ?? 0, products: rows.map((row) => productFromRows(row, read)) };
  }

  return {
    /** The products of `ids`, and of the bundles and composites among them the components' products. */
    findWithComponents(ids: readonly string[]): Promise<ReadProducts> {
      const wanted = sql`(select value from json_each(${JSON.stringify(ids)}))`;
      return read(
        or(
          sql`${products.id} in ${wanted}`,
          sql`${products.id} in (
            select json_extract(part.value, '$.productId') from ${bundles}, json_each(${bundles.components}) as part
            where ${bundles.productId} in ${wanted})`,
          sql`${products.id} in (
            select json_extract(part.value, '$.productId') from ${composites}, json_each(${composites.groups}) as grp, json_each(grp.value, '$.components') as part
            where ${composites.productId} in ${wanted})`,
        ),
      );
    },

    /** One product by id or slug (completions.md 4). */
    async findByIdOrSlug(idOrSlug: string): Promise<Readonly<{ version: number; product: Product | null }>> {
      const found = await read(or(eq(products.id, idOrSlug), eq(products.slug, idOrSlug)));
      const product = found.products.find(({ id }) => id === idOrSlug) ?? found.products[0] ?? null;
      return { version: found.version, product };
    },
  };
}

/** The number that every catalogue write raises (architecture.md, Where data lives). */
export const versionQuery = (db: Db, businessId: string) =>
  db
    .select({ version: catalogueVersions.version })
    .from(catalogueVersions)
    .where(eq(catalogueVersions.businessId, businessId));

/** Goes into the batch of every catalogue write, so that no answer is cached past it. */
export const raiseVersion = ({ db, business }: Pick<Context, "db" | "business">): Write =>
  db
    .insert(catalogueVersions)
    .values({ businessId: business.id, version: 1 })
    .onConflictDoUpdate({
      target: catalogueVersions.businessId,
      set: { version: sql`${catalogueVersions.version} + 1` },
    });

function productFromRows(
  row: ProductRow,
  read: { variants: readonly VariantRow[]; bundles: readonly BundleRow[]; composites: readonly CompositeRow[] },
): Product {
  const { businessId: _, archivedAt: __, importedColumns: ___, popularity: ____, ...product } = row;
  return {
    ...product,
    variants: read.variants.filter(({ productId }) => productId === row.id).map(variantFromRow),
    bundle: withoutBusiness(read.bundles.find(({ productId }) => productId === row.id)),
    composite: withoutBusiness(read.composites.find(({ productId }) => productId === row.id)),
  };
}

function variantFromRow(row: VariantRow): Variant {
  const { businessId: _, archivedAt: __, importedColumns: ___, position: ____, ...variant } = row;
  return variant;
}

function withoutBusiness<R extends { businessId: string }>(row: R | undefined): Omit<R, "businessId"> | null {
  if (!row) return null;
  const { businessId: _, ...record } = row;
  return record;
}
