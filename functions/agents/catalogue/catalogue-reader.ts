import {
  type CatalogueEntry,
  type CatalogueReader,
  createVersionCache,
  storefrontCatalogue,
} from "../../../shared/catalogue/index.ts";
import { openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import { createTtlCache } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { AgentCall } from "../agent-call.ts";

const maxEntries = 2_000;
const versions = createVersionCache();
/** The products of an identifier, which are none for an unknown one. At most 5 s old. */
const entriesByIdentifier = createTtlCache<readonly CatalogueEntry[]>(maxEntries);

/** Reads from the primary, because what is cached under a version must not be older than it. */
export const createCatalogueReader = ({
  business,
  http,
  settings,
  meter,
}: AgentCall): CatalogueReader => ({
  business,
  db: openDb(shopOf(shardsOf(http.env, settings.shopShards), business), meter),
});

/**
 * The products of each identifier. One round trip when any of them was not looked up in the last
 * 5 s; otherwise none.
 */
export async function findEntries(
  call: AgentCall,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, readonly CatalogueEntry[]>> {
  const { business } = call;
  const now = runtime.now();
  const version = versions.peek(business.id, now);
  const cached = new Map<string, readonly CatalogueEntry[]>();
  if (version !== undefined)
    for (const identifier of identifiers) {
      const entries = entriesByIdentifier.peek(cacheKey(business, version, identifier), now);
      if (entries) cached.set(identifier, entries);
    }
  const missing = identifiers.filter((identifier) => !cached.has(identifier));
  if (missing.length === 0) return cached;

  const read = await storefrontCatalogue.findCatalogueEntries(createCatalogueReader(call), missing);
  versions.remember(business.id, now, read.version);
  for (const identifier of missing) {
    const entries = read.data.filter((entry) => isNamedBy(entry, identifier));
    entriesByIdentifier.put(cacheKey(business, read.version, identifier), now, entries);
    cached.set(identifier, entries);
  }
  return cached;
}

const cacheKey = ({ id }: Readonly<{ id: string }>, version: number, identifier: string) =>
  `${id} ${version} ${identifier}`;

const isNamedBy = (entry: CatalogueEntry, identifier: string): boolean =>
  isProductNamedBy(entry, identifier) || variantsNamedBy(entry, identifier).length > 0;

export const isProductNamedBy = ({ product }: CatalogueEntry, identifier: string): boolean =>
  product.id === identifier || product.slug === identifier;

/** The variants with this id or SKU. The case of a SKU does not matter. */
export function variantsNamedBy({ product }: CatalogueEntry, identifier: string) {
  const sku = identifier.toLowerCase();
  return product.variants.filter(
    (variant) => variant.id === identifier || variant.sku?.toLowerCase() === sku,
  );
}
