import { asRecord, asRecords, asText, createApiClient } from "./api-client.ts";

/**
 * The ids of a catalogue's products, newest first, with the cursor of each page of 100 products.
 */
export type Catalogue = Readonly<{ productIds: readonly string[]; cursors: readonly string[] }>;

/** Reads all pages of the product list. */
export async function readCatalogue(origin: URL, publishableKey: string): Promise<Catalogue> {
  const shopper = createApiClient(`${origin.origin}/api/v1`, { "X-Public-Key": publishableKey });
  const productIds: string[] = [];
  const cursors: string[] = [];
  for (let path: string | null = "/catalogue/products?limit=100"; path !== null; ) {
    const page = await shopper.get(path);
    productIds.push(...asRecords(page.items).map(({ id }) => asText(id)));
    const { next_cursor: next } = asRecord(page.pagination);
    if (next !== null) cursors.push(asText(next));
    path = next === null ? null : `/catalogue/products?limit=100&cursor=${next}`;
  }
  return { productIds, cursors };
}
