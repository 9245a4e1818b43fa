import { and, type SQL, sql } from "drizzle-orm";
import type { Write } from "../../database/index.ts";
import type { CatalogueReader } from "../listing/listing-repo.ts";
import { visibleById } from "../listing/product-filter-repo.ts";
import { namedProduct } from "../listing/product-page-repo.ts";
import type { OfferedProduct } from "../plans/offered-product.ts";
import { productRepo } from "../product-repo.ts";
import { products } from "../tables.ts";

/**
 * An active product by id or slug with all that it is made of, and in the same round trip what the
 * companion reads of those; null when there is no such product.
 */
export async function findNamedProduct<Q extends Write>(
  reader: CatalogueReader,
  idOrSlug: string,
  companionFor: (productIds: SQL) => Q,
): Promise<{
  product: OfferedProduct;
  products: ReadonlyMap<string, OfferedProduct>;
  companion: Q["_"]["result"] | undefined;
} | null> {
  const chosen = sql`select ${products.id} from ${products}
    where ${and(namedProduct(reader.business, idOrSlug), visibleById(reader.business))}`;
  const read = await productRepo(reader).findChosen(chosen, companionFor);
  const product =
    read.products.find(({ id }) => id === idOrSlug) ??
    read.products.find(({ slug }) => slug === idOrSlug);
  if (!product) return null;
  const known = new Map(read.products.map((one) => [one.id, one]));
  return { product, products: known, companion: read.companion };
}
