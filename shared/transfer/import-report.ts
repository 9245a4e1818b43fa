import type { RejectedRow } from "./csv/rejected-row.ts";

export type ImportResult = Readonly<{
  importId: string;
  productsCreated: number;
  productsUpdated: number;
  productsUnchanged: number;
  /** The number of variants that the imported products have. */
  variants: number;
  /** The number of rows after the header, valid or not. */
  rows: number;
  /** The rejected rows, sorted by line, up to a limit. */
  rejected: readonly RejectedRow[];
  rejectedTotal: number;
}>;

export type ImportOutcome = "created" | "updated" | "unchanged";

const maxListedRejections = 1_000;

/** Collects the numbers of an import while it runs. */
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
