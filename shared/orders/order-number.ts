/** The number of a business's first order; later orders count up from it. */
export const firstOrderNumber = 1001;

/** Reads the order number from a placing batch's results: only its number query returns a row. */
export function orderNumberFrom(results: readonly unknown[]): string {
  for (const result of results) {
    const row: unknown = Array.isArray(result) ? result[0] : undefined;
    if (typeof row === "object" && row !== null && "orderNumber" in row)
      return String(row.orderNumber);
  }
  throw new Error("The placing batch returned no order number.");
}
