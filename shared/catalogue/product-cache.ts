import type { Context, Write } from "../database/index.ts";
import type { OfferedProduct } from "./plans/offered-product.ts";
import { allGroups, type GroupsAsked } from "./product-group-repo.ts";
import { productMemory } from "./product-memory.ts";
import { productRepo, type ReadProducts, versionQuery } from "./product-repo.ts";
import type { VersionMemory } from "./version-memory.ts";

const maxBytes = 24 * 1024 * 1024;

type Scope = Pick<Context, "db" | "business" | "now">;

/** Another read that goes along in the products' round trip, should there be one. */
export type Companion = Readonly<{
  query: Write;
  take: (answer: unknown, version: number) => void;
  /** Its answer cannot be done without: where no product is to be read, it is read all the same. */
  isNeeded?: boolean;
}>;

/** The same, read in any case. */
export const needed = (companion: Companion): Companion => ({ ...companion, isNeeded: true });

/** A query, and who takes its answer and the catalogue's version that it was read at. */
export const companionOf = <Q extends Write>(
  query: Q,
  take: (answer: Q["_"]["result"], version: number) => void,
): Companion => ({
  query,
  take: (answer, version) => take(answer as Q["_"]["result"], version), // safe: a batch answers each query in its place
});

/**
 * Products by business, version and id; that an id is none of the business is remembered as well.
 *
 * @param groupsAsked which of their groups are read with them. A condition that does not hold must not
 * come to hold while the version stands.
 */
export function productCache(
  versions: VersionMemory,
  groupsAsked: (scope: Pick<Scope, "business" | "now">) => GroupsAsked = () => allGroups,
) {
  const memory = productMemory(maxBytes);

  /** Adds the remembered ones of `ids` to `found`, with what they are made of; the others are left. */
  function recall(catalogue: string, ids: Iterable<string>, found: Map<string, OfferedProduct>) {
    const known = memory.of(catalogue);
    const missing: string[] = [];
    for (const id of ids) {
      const product = known(id);
      const parts = componentIdsOf(product).map(known);
      if (product === undefined || parts.includes(undefined)) missing.push(id);
      else if (product) for (const one of [product, ...parts]) if (one) found.set(one.id, one);
    }
    return missing;
  }

  function remember(scope: string, { products }: ReadProducts, asked: readonly string[]): void {
    const known = byId(products);
    const parts = asked.flatMap((id) => componentIdsOf(known.get(id)));
    for (const id of new Set([...asked, ...parts])) memory.put(scope, id, known.get(id) ?? null);
  }

  /** Companions of products that are all remembered. */
  async function readAlone(
    { db, business }: Pick<Scope, "db" | "business">,
    { at, companions }: Readonly<{ at: number; companions: readonly Companion[] }>,
  ): Promise<void> {
    const queries = companions.map(({ query }) => query);
    const [known, ...answers] = await db.batch([versionQuery(db, business.id), ...queries]);
    const version = known[0]?.version ?? 0;
    versions.learn(business.id, at, version);
    for (const [index, { take }] of companions.entries()) take(answers[index], version);
  }

  return {
    /**
     * The products of `ids` that exist, inactive ones included, and those that their bundles and
     * composites are made of. No round trip while everything is remembered and no companion is
     * needed, one otherwise, which all companions take; each product is at most 5 s old.
     */
    async find(
      { db, business, now }: Scope,
      ids: readonly string[],
      companions: readonly Companion[] = [],
    ): Promise<ReadonlyMap<string, OfferedProduct>> {
      const at = now();
      const version = versions.peek(business.id, at);
      const found = new Map<string, OfferedProduct>();
      const wanted = new Set(ids);
      const missing =
        version === undefined ? [...wanted] : recall(scopeOf(business, version), wanted, found);
      if (missing.length === 0) {
        if (companions.some(({ isNeeded }) => isNeeded))
          await readAlone({ db, business }, { at, companions });
        return found;
      }

      const read = await productRepo({ db, business }).findWithComponents(missing, {
        companions: companions.map(({ query }) => query),
        groups: groupsAsked({ business, now }),
      });
      versions.learn(business.id, at, read.version);
      for (const [index, { take }] of companions.entries())
        take(read.companions[index], read.version);
      remember(scopeOf(business, read.version), read, missing);
      for (const product of read.products) found.set(product.id, product);
      return found;
    },
  };
}

const scopeOf = ({ id }: { id: string }, version: number) => `${id} ${version}`;

const byId = (products: readonly OfferedProduct[]): ReadonlyMap<string, OfferedProduct> =>
  new Map(products.map((product) => [product.id, product]));

const none: readonly string[] = [];

function componentIdsOf(product: OfferedProduct | null | undefined): readonly string[] {
  if (!product?.bundle && !product?.composite) return none;
  const chosen = product.composite?.groups.flatMap(({ components }) => components) ?? [];
  return [
    ...(product.bundle?.components ?? []).map(({ productId }) => productId),
    ...chosen.flatMap(({ productId }) => productId ?? []),
  ];
}
