/**
 * The maximum length of a chunk. D1 accepts parameters of up to 2 MB, and a character takes up to
 * three bytes.
 */
const maxChunkCharacters = 600_000;

/**
 * Splits rows into JSON arrays that each fit into one D1 parameter. Returns no chunks when there
 * are no rows.
 */
export function jsonChunks(rows: readonly unknown[]): string[] {
  const chunks: string[][] = [];
  let remainingCharacters = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (chunks.length === 0 || json.length > remainingCharacters) {
      chunks.push([]);
      remainingCharacters = maxChunkCharacters;
    }
    chunks.at(-1)?.push(json);
    remainingCharacters -= json.length + 1;
  }
  return chunks.map((chunk) => `[${chunk.join(",")}]`);
}
