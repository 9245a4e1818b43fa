import { and, asc, isNull, type SQL, sql } from "drizzle-orm";
import type { Category } from "../categories/category.ts";
import type { Product } from "../product.ts";
import {
  ownRow,
  type ProductRow,
  rowsOfProducts,
  variantFromRow,
  versionQuery,
} from "../product-repo.ts";
import { categories, products, productVariants } from "../tables.ts";
import type { AtVersion, CatalogueReader } from "./listing-repo.ts";
import { visibleById } from "./product-filter-repo.ts";

/** A product as its page shows it. */
export type ProductPage = Readonly<{
  product: Omit<Product, "bundle" | "composite">;
  category: Pick<Category, "id" | "name" | "slug"> | null;
}>;

/** One active product by id or slug, with its category, in one round trip; null when there is none. */
export async function findProductPage(
  { db, business }: CatalogueReader,
  idOrSlug: string,
): Promise<AtVersion<ProductPage | null>> {
  const ids = idsNamed(business, idOrSlug);
  const chosen = and(sql`${products.id} in (${ids})`, visibleById(business));
  const [read, rows, variants, places] = await db.batch([
    versionQuery(db, business.id),
    db.select().from(products).where(chosen),
    db
      .select()
      .from(productVariants)
      .where(rowsOfProducts(ids, business).variants)
      .orderBy(asc(productVariants.position)),
    db
      .select({ id: categories.id, name: categories.name, slug: categories.slug })
      .from(categories)
      .where(
        and(
          sql`${categories.id} in (select ${products.categoryId} from ${products} where ${chosen})`,
          ownRow(categories.businessId, business),
          isNull(categories.archivedAt),
        ),
      ),
  ]);
  const row = rows.find(({ id }) => id === idOrSlug) ?? rows[0];
  const data = row && {
    product: {
      ...withoutStorage(row),
      variants: variants.filter(({ productId }) => productId === row.id).map(variantFromRow),
    },
    category: places.find(({ id }) => id === row.categoryId) ?? null,
  };
  return { version: read[0]?.version ?? 0, data: data ?? null };
}

const idsNamed = (business: { id: string }, idOrSlug: string): SQL =>
  sql`select ${products.id} from ${products} where ${products.id} = ${idOrSlug}
    union select ${products.id} from ${products}
    where ${products.businessId} = ${business.id} and ${products.slug} = ${idOrSlug} and ${products.archivedAt} is null`;

/** The condition that a product has the id, or in this business the slug. */
export const namedProduct = (business: { id: string }, idOrSlug: string): SQL =>
  sql`${products.id} in (${idsNamed(business, idOrSlug)})`;

function withoutStorage(row: ProductRow) {
  const { businessId: _, archivedAt: __, importedColumns: ___, popularity: ____, ...product } = row;
  return product;
}
