/** The order's number, of the results of the batch that placed it: its query answers with rows, every other statement with none. */
export function drawnNumber(results: readonly unknown[]): string {
  for (const result of results) {
    const row: unknown = Array.isArray(result) ? result[0] : undefined;
    if (typeof row === "object" && row !== null && "orderNumber" in row)
      return String(row.orderNumber);
  }
  throw new Error("The order's batch answered without its number.");
}
