import type { OfferedProduct } from "./product.ts";

/** Products by id; null for an id that does not exist in the catalogue. */
type CachedCatalogue = Map<string, OfferedProduct | null>;

type Generation = { readonly catalogues: Map<string, CachedCatalogue>; bytes: number };

const newGeneration = (): Generation => ({ catalogues: new Map(), bytes: 0 });

/**
 * A bounded cache of products by catalogue key (business and version). It has two generations,
 * because an LRU list would reorder on every lookup and a large cart looks up many products: when
 * the young one holds half of the bytes it becomes the old one, and products not read from there
 * are dropped.
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
    /** A lookup in one catalogue; undefined for an id that is not cached. */
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
