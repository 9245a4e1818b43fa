import type { SQL } from "drizzle-orm";

/** What does not agree with a rule of the books. */
export type BooksFinding = Readonly<{
  check: string;
  businessId: string;
  /** The id of the order or event, or the item and location of a stock level. */
  record: string;
  expected: string | null;
  found: string | null;
}>;

/** What the queries of a check need in addition to the page. */
export type CheckScope = Readonly<{ businessId: string; now: number }>;

/**
 * A rule of the books. The query reads the records of a table `page` and returns a row with
 * `record`, `expected` and `found` for each that violates the rule. A rule compares rows that are
 * written in one batch, so it holds at any time, also while shoppers buy.
 */
export type BooksCheck = Readonly<{ name: string; violations: (scope: CheckScope) => SQL }>;

/** The last record of a page, by the two columns of the index that the pages follow. */
export type PageKey = readonly [string | number, string];

/** Records that are read page by page, with the checks of each page. */
export type Ledger = Readonly<{
  name: string;
  /** Selects the next records in the order of an index, with its columns as `first` and `second`. */
  page: (range: CheckScope & Readonly<{ after: PageKey | null; limit: number }>) => SQL;
  checks: readonly BooksCheck[];
}>;
