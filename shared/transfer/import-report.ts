import type { RejectedRow } from "./csv/rejected-row.ts";

export type ImportResult = Readonly<{
  importId: string;
  productsCreated: number;
  productsUpdated: number;
  productsUnchanged: number;
  /** Variants of the imported products. */
  variants: number;
  /** Rows below the header, good or bad. */
  rows: number;
  /** The first rejected rows, in the order of the file. */
  rejected: readonly RejectedRow[];
  rejectedTotal: number;
}>;

export type ImportOutcome = "created" | "updated" | "unchanged";

const maxListedRejections = 1_000;

/** Counts what an import does while it runs. */
export class ImportReport {
  readonly #products: Record<ImportOutcome, number> = { created: 0, updated: 0, unchanged: 0 };
  readonly #rejected: RejectedRow[] = [];
  #rejectedTotal = 0;
  #variants = 0;
  #rows = 0;

  countRow(): void {
    this.#rows += 1;
  }

  addRejection(row: RejectedRow): void {
    this.#rejectedTotal += 1;
    if (this.#rejected.length < maxListedRejections) this.#rejected.push(row);
  }

  countProduct(outcome: ImportOutcome, variants: number): void {
    this.#products[outcome] += 1;
    this.#variants += variants;
  }

  toResult(importId: string): ImportResult {
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
