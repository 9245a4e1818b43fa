/** The number of a business's first order. Each later order gets the next number. */
export const firstOrderNumber = 1001;

/**
 * Finds the order number in the results of a placing batch. Only the query for the number returns a
 * row with `orderNumber`.
 */
export function orderNumberFrom(results: readonly unknown[]): string {
  for (const result of results) {
    const row: unknown = Array.isArray(result) ? result[0] : undefined;
    if (typeof row === "object" && row !== null && "orderNumber" in row)
      return String(row.orderNumber);
  }
  throw new Error("The placing batch returned no order number.");
}
