import { assignPrefetchResults, type Context, type Prefetch } from "../database/index.ts";
import { createTtlCache } from "../kernel/index.ts";
import { catalogueVersionQuery, parseVersion } from "./catalogue-version-repo.ts";
import type { OfferedProduct } from "./product.ts";
import { allGroups, type ProductGroupFilter } from "./product-groups-query.ts";
import { type ProductsAtVersion, productRepo } from "./product-repo.ts";

const maxBusinesses = 10_000;

export type CatalogueVersionCache = ReturnType<typeof createVersionCache>;

/**
 * The catalogue versions that were read in the last 5 s. All catalogue caches of an isolate share
 * this cache, so that carts and lists agree on which products are current.
 */
export function createVersionCache() {
  const versions = createTtlCache<number>(maxBusinesses);
  const newestVersion = (businessId: string, now: number, version: number) =>
    Math.max(version, versions.peek(businessId, now) ?? 0);

  return {
    /** The catalogue version, if it was read in the last 5 s; otherwise undefined. */
    peek: (businessId: string, now: number): number | undefined => versions.peek(businessId, now),

    /** Stores a version that was read at `now`. A slow read never replaces a newer version. */
    remember: (businessId: string, now: number, version: number): void =>
      versions.put(businessId, now, newestVersion(businessId, now, version)),

    /** Returns the cached version, and refreshes an ageing version in the background. */
    async loadCurrent(
      businessId: string,
      now: number,
      read: () => Promise<number>,
      background: (work: Promise<unknown>) => void,
    ): Promise<number | undefined> {
      if (versions.peek(businessId, now) === undefined) return undefined;
      const load = async () => newestVersion(businessId, now, await read());
      const options = { load, reload: load, background };
      return (await versions.getRevalidating(businessId, now, options)) ?? undefined;
    },
  };
}

const maxCacheBytes = 24 * 1024 * 1024;

type ProductCacheContext = Pick<Context, "db" | "business" | "now">;

/**
 * Caches products by business, catalogue version and id. Ids without a product are cached too.
 *
 * @param groupFilterFor which kinds of product groups are read. A kind that is left out must stay
 * left out until the catalogue version changes.
 */
export function createProductCache(
  versions: CatalogueVersionCache,
  groupFilterFor: (ctx: Pick<ProductCacheContext, "business" | "now">) => ProductGroupFilter = () =>
    allGroups,
) {
  const memory = createProductMemory(maxCacheBytes);

  /** Reads products with the prefetches in one round trip, and caches them. */
  async function read(
    { db, business, now }: ProductCacheContext,
    ids: readonly string[],
    prefetches: readonly Prefetch[],
  ): Promise<readonly OfferedProduct[]> {
    const readAt = now();
    const read = await productRepo({ db, business }).findWithComponents(ids, {
      prefetches: prefetches.flatMap(({ queries }) => queries),
      groups: groupFilterFor({ business, now }),
    });
    versions.remember(business.id, readAt, read.version);
    assignPrefetchResults(prefetches, read.prefetched, read.version);
    for (const [id, product] of cacheEntries(read, ids))
      memory.put(catalogueKey(business, read.version), id, product);
    return read.products;
  }

  return {
    /** As `find`, but reads all products from the database, in exactly one round trip. */
    async findCurrent(
      ctx: ProductCacheContext,
      ids: readonly string[],
      prefetches: readonly Prefetch[] = [],
    ): Promise<ReadonlyMap<string, OfferedProduct>> {
      const products = await read(ctx, [...new Set(ids)], prefetches);
      return new Map(products.map((product) => [product.id, product]));
    },

    /**
     * Loads the products with these ids, including inactive ones, and the component products of
     * bundles and composites. All are at most 5 s old. One round trip when a product is not cached.
     */
    async find(
      ctx: ProductCacheContext,
      ids: readonly string[],
      prefetches: readonly Prefetch[] = [],
    ): Promise<ReadonlyMap<string, OfferedProduct>> {
      const { db, business } = ctx;
      const readAt = ctx.now();
      const version = versions.peek(business.id, readAt);
      const uniqueIds = new Set(ids);
      const { products, missingIds } =
        version === undefined
          ? { products: new Map<string, OfferedProduct>(), missingIds: [...uniqueIds] }
          : findCached(memory.catalogue(catalogueKey(business, version)), uniqueIds);
      if (missingIds.length === 0) {
        if (prefetches.some(({ isRequired }) => isRequired)) {
          const current = await runPrefetches({ db, business }, prefetches);
          versions.remember(business.id, readAt, current);
        }
        return products;
      }

      for (const product of await read(ctx, missingIds, prefetches))
        products.set(product.id, product);
      return products;
    },
  };
}

const catalogueKey = ({ id }: { id: string }, version: number) => `${id} ${version}`;

/**
 * Splits the ids into cached and missing products. A bundle or composite counts as cached only when
 * all of its component products are cached too.
 */
function findCached(
  cached: (id: string) => OfferedProduct | null | undefined,
  ids: Iterable<string>,
): { products: Map<string, OfferedProduct>; missingIds: string[] } {
  const products = new Map<string, OfferedProduct>();
  const missingIds: string[] = [];
  for (const id of ids) {
    const product = cached(id);
    const components = componentIdsOf(product).map(cached);
    if (product === undefined || components.includes(undefined)) missingIds.push(id);
    else if (product)
      for (const entry of [product, ...components]) if (entry) products.set(entry.id, entry);
  }
  return { products, missingIds };
}

/** The entries to cache. An id without a product gets null, so that it is not read again. */
function cacheEntries(
  { products }: ProductsAtVersion,
  requestedIds: readonly string[],
): [string, OfferedProduct | null][] {
  const productById = new Map(products.map((product) => [product.id, product]));
  const componentIds = requestedIds.flatMap((id) => componentIdsOf(productById.get(id)));
  return [...new Set([...requestedIds, ...componentIds])].map((id) => [
    id,
    productById.get(id) ?? null,
  ]);
}

/**
 * Runs the prefetches when all products are cached. The same batch reads the catalogue version,
 * which is returned, so that the version belongs to the prefetched results.
 */
async function runPrefetches(
  { db, business }: Pick<ProductCacheContext, "db" | "business">,
  prefetches: readonly Prefetch[],
): Promise<number> {
  const prefetchQueries = prefetches.flatMap(({ queries }) => queries);
  const [versionRows, ...results] = await db.batch([
    catalogueVersionQuery(db, business.id),
    ...prefetchQueries,
  ]);
  const version = parseVersion(versionRows);
  assignPrefetchResults(prefetches, results, version);
  return version;
}

const noIds: readonly string[] = [];

function componentIdsOf(product: OfferedProduct | null | undefined): readonly string[] {
  if (!product?.bundle && !product?.composite) return noIds;
  const choices = product.composite?.groups.flatMap(({ components }) => components) ?? [];
  return [
    ...(product.bundle?.components ?? []).map(({ productId }) => productId),
    ...choices.flatMap(({ productId }) => productId ?? []),
  ];
}

/** Products by id; null for an id that does not exist in the catalogue. */
type CachedCatalogue = Map<string, OfferedProduct | null>;

type Generation = { readonly catalogues: Map<string, CachedCatalogue>; bytes: number };

const newGeneration = (): Generation => ({ catalogues: new Map(), bytes: 0 });

/**
 * A bounded product cache with a young and an old generation, which is cheaper than an LRU list.
 * When the young one holds half of the bytes, it replaces the old one. A product that is read from
 * the old generation moves to the young one.
 */
export function createProductMemory(maxBytes: number) {
  let young = newGeneration();
  let old = newGeneration();

  function put(catalogueKey: string, id: string, product: OfferedProduct | null): void {
    const bytes = 2 * (id.length + JSON.stringify(product).length);
    if (young.bytes + bytes > maxBytes / 2) {
      old = young;
      young = newGeneration();
    }
    const catalogue = young.catalogues.get(catalogueKey);
    if (catalogue) catalogue.set(id, product);
    else young.catalogues.set(catalogueKey, new Map([[id, product]]));
    young.bytes += bytes;
  }

  return {
    put,
    /**
     * Returns a lookup in one catalogue. The lookup returns undefined for an id that is not cached.
     */
    catalogue(catalogueKey: string): (id: string) => OfferedProduct | null | undefined {
      const current = young.catalogues.get(catalogueKey);
      const previous = old.catalogues.get(catalogueKey);
      return (id) => {
        const product = current?.get(id);
        if (product !== undefined || previous === undefined) return product;
        const oldProduct = previous.get(id);
        if (oldProduct !== undefined) put(catalogueKey, id, oldProduct);
        return oldProduct;
      };
    },
  };
}
