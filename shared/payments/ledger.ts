/** A charge as its provider lists it. */
export type ListedCharge = Readonly<{
  /** The reference by which we know the charge; any text for a charge that is not ours. */
  reference: string;
  /** `returned`: captured once, and refunded or reversed since. `other`: no money was captured. */
  state: "captured" | "returned" | "other";
  /** Null when the provider's amount is not one of this currency. */
  amountMinor: number | null;
  currency: string;
}>;

/** A refund as its provider lists it. */
export type ListedRefund = Readonly<{
  /** Our refund id, or the provider's id of a refund that is not ours. */
  id: string;
  /** The reference of the refunded charge; null when the provider does not name it. */
  reference: string | null;
  state: "refunded" | "pending" | "failed";
  amountMinor: number | null;
  currency: string;
}>;

/** Entries that the provider created between two times. */
export type LedgerQuery = Readonly<{
  from: number;
  to: number;
  /** Where the page begins, as the page before said; null for the first one. */
  cursor: string | null;
}>;

/** So few that one run can record every capture of a page, within the queries that D1 allows it. */
export const entriesPerLedgerPage = 20;

/** One page. `next` is null on the last one. */
export type LedgerPage<T> =
  | Readonly<{ type: "page"; entries: readonly T[]; next: string | null }>
  | Readonly<{ type: "no_answer" }>;

/** What a provider's account says that it captured and refunded. Its functions never throw. */
export type ProviderLedger = Readonly<{
  listCharges(query: LedgerQuery): Promise<LedgerPage<ListedCharge>>;
  /** The charge of this reference; null when the provider does not know it. */
  findCharge(reference: string): Promise<ListedCharge | null | "no_answer">;
  listRefunds(query: LedgerQuery): Promise<LedgerPage<ListedRefund>>;
  /** How often the provider has a refund of ours: once, unless a late request refunded again. */
  countRefunds(refund: Readonly<{ id: string; reference: string }>): Promise<number | "no_answer">;
}>;
