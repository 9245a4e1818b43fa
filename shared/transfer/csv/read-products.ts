import type { CsvResult } from "./csv-product.ts";
import { ProductRows } from "./product-rows.ts";
import { readRows } from "./read-rows.ts";
import { rejectedRow } from "./rejected-row.ts";

/**
 * Reads a product CSV in Shopify's format as a stream. Yields each product when its last row was
 * read, and each rejected row. An invalid first row rejects the whole product, any other only
 * itself.
 *
 * @param onRow is called for every row, valid or not.
 * @throws Refusal VALIDATION_ERROR, before the first result, when the file is no product CSV.
 */
export async function* readProducts(
  stream: ReadableStream<Uint8Array>,
  { currency, onRow }: Readonly<{ currency: string; onRow?: () => void }>,
): AsyncGenerator<CsvResult> {
  const firstLineByHandle = new Map<string, number>();
  let currentHandle = "";
  let rows: ProductRows | null = null;

  for await (const row of readRows(stream)) {
    onRow?.();
    const handle = row.values.get("Handle")?.trim() ?? "";
    if (handle === "") {
      yield rejectedRow(row.line, row.issue ?? { field: "Handle", message: "is missing" });
      continue;
    }
    if (handle !== currentHandle) {
      if (rows) yield* rows.toResults();
      currentHandle = handle;
      const firstLine = firstLineByHandle.get(handle);
      if (firstLine) yield scatteredRowsRejection(row.line, handle, firstLine);
      else firstLineByHandle.set(handle, row.line);
      rows = firstLine ? null : new ProductRows(row.line, currency);
    }
    if (rows) yield* rows.add(row);
  }
  if (rows) yield* rows.toResults();
}

const scatteredRowsRejection = (line: number, handle: string, firstLine: number) =>
  rejectedRow(line, {
    field: "Handle",
    message: `${handle} has its rows from line ${firstLine} on; they must follow one another`,
  });
