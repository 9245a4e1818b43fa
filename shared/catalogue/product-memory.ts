import type { OfferedProduct } from "./plans/offered-product.ts";

/** A catalogue at one version: products by id; null for what is none of it. */
type Known = Map<string, OfferedProduct | null>;

type Generation = { readonly catalogues: Map<string, Known>; weight: number };

const newGeneration = (): Generation => ({ catalogues: new Map(), weight: 0 });

/**
 * Products of catalogues, by a text that names the catalogue and its version, in bounded weight (bytes).
 * A cart of many lines looks each of its products up at each write, so that a look costs next to
 * nothing: nothing is put in order by it. When half of the room is full a generation is over; what is
 * not asked for in the next one goes with it.
 */
export function productMemory(maxBytes: number) {
  let young = newGeneration();
  let old = newGeneration();

  function put(catalogue: string, id: string, product: OfferedProduct | null): void {
    const weight = 2 * (id.length + JSON.stringify(product).length);
    if (young.weight + weight > maxBytes / 2) {
      old = young;
      young = newGeneration();
    }
    const known = young.catalogues.get(catalogue);
    if (known) known.set(id, product);
    else young.catalogues.set(catalogue, new Map([[id, product]]));
    young.weight += weight;
  }

  return {
    put,
    /** What is known of one catalogue: undefined for a product that is not remembered. */
    of(catalogue: string): (id: string) => OfferedProduct | null | undefined {
      const current = young.catalogues.get(catalogue);
      const earlier = old.catalogues.get(catalogue);
      return (id) => {
        const known = current?.get(id);
        if (known !== undefined || earlier === undefined) return known;
        const kept = earlier.get(id);
        if (kept !== undefined) put(catalogue, id, kept);
        return kept;
      };
    },
  };
}
