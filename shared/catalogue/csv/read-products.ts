import type { ReadProduct } from "./imported-product.ts";
import { ProductGroup, rejected } from "./product-group.ts";
import { type Row, readRows } from "./read-rows.ts";

/**
 * Reads a product CSV in Shopify's export format as it arrives (business-surface.md, imports):
 * each product once its rows are complete, each row that stays out with the field at fault.
 * A bad first row keeps its product out; any other bad row only itself. Amounts are of `currency`.
 * `onRow` is called for each row that is read, good or bad.
 *
 * @throws Refusal VALIDATION_ERROR, before anything is read, when it is not a product CSV.
 */
export async function* readProducts(
  stream: ReadableStream<Uint8Array>,
  { currency, onRow }: Readonly<{ currency: string; onRow?: () => void }>,
): AsyncGenerator<ReadProduct> {
  const begunAt = new Map<string, number>();
  let handle = "";
  let group: ProductGroup | null = null;

  for await (const row of readRows(stream)) {
    onRow?.();
    const named = row.values.get("Handle")?.trim() ?? "";
    if (named === "") {
      yield rejected(row.line, row.problem ?? { field: "Handle", message: "is missing" });
      continue;
    }
    if (named !== handle) {
      yield* finished(group);
      handle = named;
      const earlier = begunAt.get(handle);
      if (earlier) yield scattered(row, handle, earlier);
      else begunAt.set(handle, row.line);
      group = earlier ? null : new ProductGroup(row.line, currency);
    }
    if (group) yield* group.add(row);
  }
  yield* finished(group);
}

const finished = (group: ProductGroup | null) => group?.finish() ?? [];

const scattered = ({ line }: Row, handle: string, earlier: number) =>
  rejected(line, {
    field: "Handle",
    message: `${handle} has its rows from line ${earlier} on; they must follow one another`,
  });
