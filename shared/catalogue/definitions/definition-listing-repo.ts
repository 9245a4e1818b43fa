import { and, desc, eq, type SQL } from "drizzle-orm";
import type { AtVersion, CatalogueReader } from "../listing/listing-repo.ts";
import { found, visibleById } from "../listing/product-filter-repo.ts";
import type { Bundle, Composite, Product } from "../product.ts";
import { versionQuery } from "../product-repo.ts";
import { bundles, composites, products } from "../tables.ts";

type Face = Pick<Product, "name" | "slug" | "description" | "images" | "defaultPriceMinor">;

/** A bundle with the face of the active product that is sold. */
export type ListedBundle = Omit<Bundle, "pricing"> & Face;

/** A composite with the face of the active product that is sold. */
export type ListedComposite = Composite & Face;

const face = {
  name: products.name,
  slug: products.slug,
  description: products.description,
  images: products.images,
  defaultPriceMinor: products.defaultPriceMinor,
};

/**
 * The public's bundles and composites of one business, newest first: ids sort by time, and are the
 * order of the index. Each call is one round trip.
 */
export function definitionListingRepo({ db, business }: CatalogueReader) {
  const version = () => versionQuery(db, business.id);

  async function readBundles(
    chosen: SQL | undefined,
    limit: number,
  ): Promise<AtVersion<ListedBundle[]>> {
    const { id, productId, components } = bundles;
    const [read, data] = await db.batch([
      version(),
      db
        .select({ id, productId, components, ...face })
        .from(bundles)
        .innerJoin(products, eq(products.id, productId))
        .where(and(eq(bundles.businessId, business.id), visibleById(business), chosen))
        .orderBy(desc(id))
        .limit(limit),
    ]);
    return { version: read[0]?.version ?? 0, data };
  }

  async function readComposites(
    chosen: SQL | undefined,
    limit: number,
  ): Promise<AtVersion<ListedComposite[]>> {
    const { id, productId, basePriceMinor, groups } = composites;
    const [read, data] = await db.batch([
      version(),
      db
        .select({ id, productId, basePriceMinor, groups, ...face })
        .from(composites)
        .innerJoin(products, eq(products.id, productId))
        .where(and(eq(composites.businessId, business.id), visibleById(business), chosen))
        .orderBy(desc(id))
        .limit(limit),
    ]);
    return { version: read[0]?.version ?? 0, data };
  }

  return {
    listBundles: ({ search, limit }: { search: string | null; limit: number }) =>
      readBundles(search === null ? undefined : found(business, search), limit),

    findBundle: async (id: string) => firstOf(await readBundles(eq(bundles.id, id), 1)),

    listComposites: ({ limit }: { limit: number }) => readComposites(undefined, limit),

    findComposite: async (id: string) => firstOf(await readComposites(eq(composites.id, id), 1)),

    findCompositeOf: async (productId: string) =>
      firstOf(await readComposites(eq(composites.productId, productId), 1)),
  };
}

const firstOf = <T>({ version, data }: AtVersion<readonly T[]>): AtVersion<T | null> => ({
  version,
  data: data[0] ?? null,
});
