import { and, desc, eq, lt, type SQL } from "drizzle-orm";
import {
  type AtVersion,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "../catalogue-version-repo.ts";
import { matchesSearch } from "../listing/search-query.ts";
import type { Bundle, Composite, Product, StoredImage } from "../product.ts";
import { isPubliclyVisible } from "../product-conditions-query.ts";
import { bundles, composites, products } from "../tables.ts";

type ProductSummary = Pick<
  Product,
  "name" | "slug" | "description" | "defaultPriceMinor" | "compareAtPriceMinor"
> &
  Readonly<{ images: readonly StoredImage[] }>;

/** A bundle with the summary of its product. */
export type ListedBundle = Omit<Bundle, "pricing"> & ProductSummary;

/** A composite with the summary of its product. */
export type ListedComposite = Composite & ProductSummary;

/** `after` is the last id on the previous page. */
type DefinitionPage = Readonly<{ limit: number; after: string | null }>;

const productSummaryColumns = {
  name: products.name,
  slug: products.slug,
  description: products.description,
  images: products.images,
  defaultPriceMinor: products.defaultPriceMinor,
  compareAtPriceMinor: products.compareAtPriceMinor,
};

// The bundles and composites that shoppers see: those of active products, newest first. Each
// function is one round trip. A find function returns null when nothing is found.

export const listBundles = (
  reader: CatalogueReader,
  { search, limit, after }: DefinitionPage & { search: string | null },
): Promise<AtVersion<ListedBundle[]>> =>
  readBundles(
    reader,
    and(
      search === null ? undefined : matchesSearch(reader.business, search),
      after === null ? undefined : lt(bundles.id, after),
    ),
    limit,
  );

export const findBundle = async (
  reader: CatalogueReader,
  id: string,
): Promise<AtVersion<ListedBundle | null>> =>
  firstOf(await readBundles(reader, eq(bundles.id, id), 1));

export const findBundleByProduct = async (
  reader: CatalogueReader,
  productId: string,
): Promise<AtVersion<ListedBundle | null>> =>
  firstOf(await readBundles(reader, eq(bundles.productId, productId), 1));

export const listComposites = (
  reader: CatalogueReader,
  { limit, after }: DefinitionPage,
): Promise<AtVersion<ListedComposite[]>> =>
  readComposites(reader, after === null ? undefined : lt(composites.id, after), limit);

export const findComposite = async (
  reader: CatalogueReader,
  id: string,
): Promise<AtVersion<ListedComposite | null>> =>
  firstOf(await readComposites(reader, eq(composites.id, id), 1));

export const findCompositeByProduct = async (
  reader: CatalogueReader,
  productId: string,
): Promise<AtVersion<ListedComposite | null>> =>
  firstOf(await readComposites(reader, eq(composites.productId, productId), 1));

async function readBundles(
  { db, business }: CatalogueReader,
  condition: SQL | undefined,
  limit: number,
): Promise<AtVersion<ListedBundle[]>> {
  const { id, productId, components } = bundles;
  const [versionRows, data] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db
      .select({ id, productId, components, ...productSummaryColumns })
      .from(bundles)
      .innerJoin(products, eq(products.id, productId))
      .where(and(eq(bundles.businessId, business.id), isPubliclyVisible(business), condition))
      .orderBy(desc(id))
      .limit(limit),
  ]);
  return { version: parseVersion(versionRows), data };
}

async function readComposites(
  { db, business }: CatalogueReader,
  condition: SQL | undefined,
  limit: number,
): Promise<AtVersion<ListedComposite[]>> {
  const { id, productId, basePriceMinor, groups } = composites;
  const [versionRows, data] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db
      .select({ id, productId, basePriceMinor, groups, ...productSummaryColumns })
      .from(composites)
      .innerJoin(products, eq(products.id, productId))
      .where(and(eq(composites.businessId, business.id), isPubliclyVisible(business), condition))
      .orderBy(desc(id))
      .limit(limit),
  ]);
  return { version: parseVersion(versionRows), data };
}

const firstOf = <T>({ version, data }: AtVersion<readonly T[]>): AtVersion<T | null> => ({
  version,
  data: data[0] ?? null,
});
