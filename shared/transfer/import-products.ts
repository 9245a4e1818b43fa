import type { ShopContext } from "../businesses/index.ts";
import { importRepo, readProducts } from "../catalogue/index.ts";
import { importChunk } from "./import-chunk.ts";
import { ImportReport, type ImportResult } from "./import-report.ts";
import type { Draft } from "./merge-product.ts";

const maxChunkProducts = 500;
/** Of JSON: what a chunk holds in memory, and far from what one statement takes. */
const maxChunkCharacters = 400_000;
/** Of JSON: a product's own row, or a variant's, is a parameter of D1 as well. */
const maxRecordCharacters = 300_000;

/**
 * Brings a product CSV in as it arrives (business-surface.md, imports): a product of the file is
 * known by its handle, becomes what the file says, and keeps what the file does not know; variants
 * that a wholly read product no longer has are archived. Quantities go to the default location.
 * Chunks go in one by one: what was before a broken end stays, and the same file completes it.
 *
 * @throws Refusal VALIDATION_ERROR, before anything is written, when it is not a product CSV.
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
  for await (const drafts of chunksOf(file, { report, currency: ctx.business.currency })) {
    if (!hasStarted) await imports.start();
    hasStarted = true;
    for (const planned of await importChunk(ctx, drafts, { importId, isDryRun })) {
      if (planned.kind === "rejected") report.reject(planned);
      else report.count(planned.outcome, planned.after.variants.length);
    }
  }
  const result = report.result(importId);
  await imports.finish(result);
  return result;
}

async function* chunksOf(
  file: ReadableStream<Uint8Array>,
  { report, currency }: { report: ImportReport; currency: string },
): AsyncGenerator<readonly Draft[]> {
  let chunk: Draft[] = [];
  let characters = 0;
  let lastRejected = 0;
  const onRow = () => report.countRow();
  for await (const outcome of readProducts(file, { currency, onRow })) {
    if (outcome.kind === "rejected") {
      report.reject(outcome);
      lastRejected = outcome.row;
      continue;
    }
    const { draft: product } = outcome;
    const size = sizeOf(product);
    if (size.largestRecord > maxRecordCharacters) {
      const message = "the product is larger than can be kept";
      report.reject({ kind: "rejected", row: product.firstRow, field: "", message });
      continue;
    }
    chunk.push({ product, isPartial: lastRejected >= product.firstRow });
    characters += size.characters;
    if (chunk.length < maxChunkProducts && characters < maxChunkCharacters) continue;
    yield chunk;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield chunk;
}

function sizeOf({ variants, ...product }: Draft["product"]): {
  characters: number;
  largestRecord: number;
} {
  const sizes = [product, ...variants].map((record) => JSON.stringify(record).length);
  return {
    characters: sizes.reduce((sum, size) => sum + size, 0),
    largestRecord: sizes.reduce((largest, size) => Math.max(largest, size), 0),
  };
}
