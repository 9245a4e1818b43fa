import type { Context, Write } from "../database/index.ts";
import { weightedLru } from "../kernel/index.ts";
import type { OfferedProduct } from "./plans/offered-product.ts";
import { productRepo, type ReadProducts } from "./product-repo.ts";
import type { VersionMemory } from "./version-memory.ts";

const maxBytes = 24 * 1024 * 1024;

type Scope = Pick<Context, "db" | "business" | "now">;

/** Another read that goes along in the products' round trip, should there be one. */
export type Companion = Readonly<{
  query: Write;
  take: (answer: unknown, version: number) => void;
}>;

/** A query, and who takes its answer and the catalogue's version that it was read at. */
export const companionOf = <Q extends Write>(
  query: Q,
  take: (answer: Q["_"]["result"], version: number) => void,
): Companion => ({
  query,
  take: (answer, version) => take(answer as Q["_"]["result"], version), // safe: a batch answers each query in its place
});

/** Products by business, version and id; that an id is none of the business is remembered as well. */
export function productCache(versions: VersionMemory) {
  const memory = weightedLru<OfferedProduct | null>(
    maxBytes,
    (product, key) => 2 * (key.length + JSON.stringify(product).length),
  );

  /** The product and what it is made of; undefined when any of that is not remembered. */
  function recall(scope: string, id: string): readonly OfferedProduct[] | undefined {
    const product = memory.get(scope + id);
    if (!product) return product === null ? [] : undefined;
    const parts = componentIdsOf(product).map((part) => memory.get(scope + part));
    return parts.includes(undefined)
      ? undefined
      : [product, ...parts.flatMap((part) => part ?? [])];
  }

  function remember(scope: string, { products }: ReadProducts, asked: readonly string[]): void {
    const known = byId(products);
    const parts = asked.flatMap((id) => componentIdsOf(known.get(id)));
    for (const id of [...asked, ...parts]) memory.put(scope + id, known.get(id) ?? null);
  }

  return {
    /**
     * The products of `ids` that exist, inactive ones included, and those that their bundles and
     * composites are made of. No round trip while everything is remembered, one otherwise; each
     * product is at most 5 s old.
     */
    async find(
      { db, business, now }: Scope,
      ids: readonly string[],
      companions: readonly Companion[] = [],
    ): Promise<ReadonlyMap<string, OfferedProduct>> {
      const at = now();
      const version = versions.peek(business.id, at);
      const recalled = [...new Set(ids)].map((id) => ({
        id,
        products: version === undefined ? undefined : recall(scopeOf(business, version), id),
      }));
      const found = recalled.flatMap(({ products }) => products ?? []);
      const missing = recalled.flatMap(({ id, products }) => (products ? [] : [id]));
      if (missing.length === 0) return byId(found);

      const read = await productRepo({ db, business }).findWithComponents(
        missing,
        companions.map(({ query }) => query),
      );
      versions.learn(business.id, at, read.version);
      for (const [index, { take }] of companions.entries())
        take(read.companions[index], read.version);
      remember(scopeOf(business, read.version), read, missing);
      return byId([...found, ...read.products]);
    },
  };
}

const scopeOf = ({ id }: { id: string }, version: number) => `${id} ${version} `;

const byId = (products: readonly OfferedProduct[]): ReadonlyMap<string, OfferedProduct> =>
  new Map(products.map((product) => [product.id, product]));

function componentIdsOf(product: OfferedProduct | undefined): string[] {
  const chosen = product?.composite?.groups.flatMap(({ components }) => components) ?? [];
  return [
    ...(product?.bundle?.components ?? []).map(({ productId }) => productId),
    ...chosen.flatMap(({ productId }) => productId ?? []),
  ];
}
