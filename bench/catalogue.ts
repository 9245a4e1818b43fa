import { apiAt, record, records, text } from "../scripts/seed/api.ts";

/** What a catalogue holds, newest first, and cursors all along it. */
export type Catalogue = Readonly<{ productIds: readonly string[]; cursors: readonly string[] }>;

/** Reads the list to its end. */
export async function readCatalogue(origin: URL, publishableKey: string): Promise<Catalogue> {
  const shopper = apiAt(`${origin.origin}/api/v1`, { "X-Public-Key": publishableKey });
  const productIds: string[] = [];
  const cursors: string[] = [];
  for (let path: string | null = "/catalogue/products?limit=100"; path !== null; ) {
    const page = await shopper.get(path);
    productIds.push(...records(page.items).map(({ id }) => text(id)));
    const { next_cursor: next } = record(page.pagination);
    if (next !== null) cursors.push(text(next));
    path = next === null ? null : `/catalogue/products?limit=100&cursor=${next}`;
  }
  return { productIds, cursors };
}
