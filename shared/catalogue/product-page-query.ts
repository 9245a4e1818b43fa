import { and, asc, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { isRowOfBusiness, prepareReads, type Write } from "../database/index.ts";
import {
  type AtVersion,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "./catalogue-version-repo.ts";
import type { CategoryName } from "./categories/category.ts";
import { inStockColumn } from "./listing/product-list-query.ts";
import type { OfferedProduct, Product } from "./product.ts";
import {
  hasIdOrSlug,
  idsByIdOrSlug,
  isPubliclyVisible,
  productRowConditions,
} from "./product-conditions-query.ts";
import { productRepo } from "./product-repo.ts";
import { toProductFields, toVariant } from "./product-row.ts";
import { categories, products, productVariants } from "./tables.ts";

/** What a product page shows. */
export type ProductPage = Readonly<{
  product: Omit<Product, "bundle" | "composite">;
  /** In stock at the requested location, or at any location when none is requested. */
  isInStock: boolean;
  category: CategoryName | null;
}>;

type ProductPageOptions<Q> = Readonly<{
  /** Where stock is read; null for nowhere in particular. */
  locationId?: string | null;
  /** Another read for the same round trip. */
  prefetch?: Q;
}>;

type PageValues = { businessId: string; idOrSlug: string; locationId: string | null };

const productPageReads = prepareReads((db, { businessId, idOrSlug, locationId }: PageValues) => {
  const business = { id: businessId };
  const ids = idsByIdOrSlug(business, idOrSlug);
  const isProduct = and(sql`${products.id} in (${ids})`, isPubliclyVisible(business));
  return [
    catalogueVersionQuery(db, businessId),
    db
      .select({ ...getTableColumns(products), isInStock: inStockColumn(locationId) })
      .from(products)
      .where(isProduct),
    db
      .select()
      .from(productVariants)
      .where(productRowConditions(ids, business).variants)
      .orderBy(asc(productVariants.position)),
    db
      .select({ id: categories.id, name: categories.name, slug: categories.slug })
      .from(categories)
      .where(
        and(
          sql`${categories.id} in (select ${products.categoryId} from ${products} where ${isProduct})`,
          isRowOfBusiness(categories.businessId, business),
          isNull(categories.archivedAt),
        ),
      ),
  ] as const;
});

/**
 * An active product by id or slug with its category, in one round trip. Null when it is unknown.
 */
export async function findProductPage<Q extends Write = Write>(
  { db, business }: CatalogueReader,
  idOrSlug: string,
  { locationId = null, prefetch }: ProductPageOptions<Q> = {},
): Promise<AtVersion<ProductPage | null> & Readonly<{ prefetched: Q["_"]["result"] | undefined }>> {
  const [versionRows, rows, variantRows, categoryRows, prefetched] = await db.batch([
    ...productPageReads(db, { businessId: business.id, idOrSlug, locationId }),
    ...(prefetch ? [prefetch] : []),
  ]);
  const version = parseVersion(versionRows);
  const found = rows.find(({ id }) => id === idOrSlug) ?? rows[0];
  if (!found) return { version, data: null, prefetched };
  const { isInStock, ...row } = found;
  const data = {
    product: {
      ...toProductFields(row),
      variants: variantRows.filter(({ productId }) => productId === row.id).map(toVariant),
    },
    isInStock,
    category: categoryRows.find(({ id }) => id === row.categoryId) ?? null,
  };
  return { version, data, prefetched };
}

/**
 * An active product by id or slug with its component products; null when it is unknown.
 * `prefetchFor` gets a query of the ids of all products that are read, and returns another query
 * for the same round trip.
 */
export async function findActiveProduct<Q extends Write>(
  reader: CatalogueReader,
  idOrSlug: string,
  prefetchFor: (productIds: SQL) => Q,
): Promise<{
  product: OfferedProduct;
  /** The product and its component products, by product id. */
  products: ReadonlyMap<string, OfferedProduct>;
  prefetched: Q["_"]["result"] | undefined;
} | null> {
  const isProduct = and(hasIdOrSlug(reader.business, idOrSlug), isPubliclyVisible(reader.business));
  const productIdQuery = sql`select ${products.id} from ${products} where ${isProduct}`;
  const read = await productRepo(reader).findByQuery(productIdQuery, prefetchFor);
  const product =
    read.products.find(({ id }) => id === idOrSlug) ??
    read.products.find(({ slug }) => slug === idOrSlug);
  if (!product) return null;
  const productById = new Map(read.products.map((entry) => [entry.id, entry]));
  return { product, products: productById, prefetched: read.prefetched };
}
