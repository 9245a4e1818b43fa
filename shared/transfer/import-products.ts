import type { ShopContext } from "../businesses/index.ts";
import { readProducts } from "./csv/read-products.ts";
import { importChunk } from "./import-chunk.ts";
import { importRepo } from "./import-repo.ts";
import { ImportReport, type ImportResult } from "./import-report.ts";
import type { FileProduct } from "./merge-product.ts";

const maxChunkProducts = 500;
/** JSON characters per chunk. Limits the memory of a chunk, and the size of its statements. */
const maxChunkCharacters = 400_000;
/** JSON characters of a product or variant. Its row must fit into one D1 parameter. */
const maxRecordCharacters = 300_000;

/**
 * Imports a product CSV as a stream. Products are matched by handle, and fields without a column
 * keep their value. Variants that are not in the file are archived, unless rows of the product were
 * rejected. Each chunk is committed on its own, so an interrupted import can be repeated.
 *
 * @throws Refusal VALIDATION_ERROR, before anything is written, when the file is no product CSV.
 */
export async function importProducts(
  ctx: ShopContext,
  file: ReadableStream<Uint8Array>,
  { isDryRun }: { isDryRun: boolean },
): Promise<ImportResult> {
  const importId = ctx.newId("imp");
  const imports = importRepo(ctx, { id: importId, isDryRun });
  const report = new ImportReport();
  let hasStarted = false;
  for await (const chunk of readChunks(file, { report, currency: ctx.business.currency })) {
    if (!hasStarted) await imports.start();
    hasStarted = true;
    for (const result of await importChunk(ctx, chunk, { importId, isDryRun })) {
      if (result.kind === "rejected") report.addRejection(result);
      else report.countProduct(result.outcome, result.after.variants.length);
    }
  }
  const result = report.toResult(importId);
  await imports.finish(result);
  return result;
}

async function* readChunks(
  file: ReadableStream<Uint8Array>,
  { report, currency }: { report: ImportReport; currency: string },
): AsyncGenerator<readonly FileProduct[]> {
  let chunk: FileProduct[] = [];
  let chunkCharacters = 0;
  let lastRejectedRow = 0;
  const onRow = () => report.countRow();
  for await (const result of readProducts(file, { currency, onRow })) {
    if (result.kind === "rejected") {
      report.addRejection(result);
      lastRejectedRow = result.row;
      continue;
    }
    const { product } = result;
    const { characters, largestRecord } = measureJson(product);
    if (largestRecord > maxRecordCharacters) {
      const message = "the product is too large to be stored";
      report.addRejection({ kind: "rejected", row: product.firstRow, field: "", message });
      continue;
    }
    chunk.push({ product, isPartial: lastRejectedRow >= product.firstRow });
    chunkCharacters += characters;
    if (chunk.length < maxChunkProducts && chunkCharacters < maxChunkCharacters) continue;
    yield chunk;
    chunk = [];
    chunkCharacters = 0;
  }
  if (chunk.length > 0) yield chunk;
}

function measureJson({ variants, ...product }: FileProduct["product"]): {
  characters: number;
  largestRecord: number;
} {
  const sizes = [product, ...variants].map((record) => JSON.stringify(record).length);
  return {
    characters: sizes.reduce((sum, size) => sum + size, 0),
    largestRecord: sizes.reduce((largest, size) => Math.max(largest, size), 0),
  };
}
