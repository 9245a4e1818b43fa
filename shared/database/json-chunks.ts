import { utf8Bytes } from "../kernel/index.ts";

/** D1 accepts parameters of up to 2 MB. A row above this size gets a chunk of its own. */
const maxChunkBytes = 1_000_000;

/**
 * Splits rows into JSON arrays that each fit into one D1 parameter. Returns no chunks when there
 * are no rows.
 */
export function jsonChunks(rows: readonly unknown[]): string[] {
  const chunks: string[][] = [];
  let remainingBytes = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    const bytes = utf8Bytes(json) + 1;
    if (chunks.length === 0 || bytes > remainingBytes) {
      chunks.push([]);
      remainingBytes = maxChunkBytes;
    }
    chunks.at(-1)?.push(json);
    remainingBytes -= bytes;
  }
  return chunks.map((chunk) => `[${chunk.join(",")}]`);
}
