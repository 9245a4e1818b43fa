import type { RejectedRow } from "../catalogue/index.ts";

export type ImportResult = Readonly<{
  importId: string;
  productsCreated: number;
  productsUpdated: number;
  productsUnchanged: number;
  /** Of the products that went in. */
  variants: number;
  /** Read below the header, good or bad. */
  rows: number;
  /** The first of them, by row. */
  rejected: readonly RejectedRow[];
  rejectedTotal: number;
}>;

export type Outcome = "created" | "updated" | "unchanged";

const maxRejected = 1_000;

/** Counts an import while it runs. */
export class ImportReport {
  readonly #products: Record<Outcome, number> = { created: 0, updated: 0, unchanged: 0 };
  readonly #rejected: RejectedRow[] = [];
  #rejectedTotal = 0;
  #variants = 0;
  #rows = 0;

  countRow(): void {
    this.#rows += 1;
  }

  reject(row: RejectedRow): void {
    this.#rejectedTotal += 1;
    if (this.#rejected.length < maxRejected) this.#rejected.push(row);
  }

  count(outcome: Outcome, variants: number): void {
    this.#products[outcome] += 1;
    this.#variants += variants;
  }

  result(importId: string): ImportResult {
    return {
      importId,
      productsCreated: this.#products.created,
      productsUpdated: this.#products.updated,
      productsUnchanged: this.#products.unchanged,
      variants: this.#variants,
      rows: this.#rows,
      rejected: this.#rejected.toSorted((a, b) => a.row - b.row),
      rejectedTotal: this.#rejectedTotal,
    };
  }
}
