import type { RecordedEvent } from "./event.ts";

export type ViewedProduct = Readonly<{
  productId: string;
  /** The category that its last view named, should one have. */
  categoryId: string | null;
  count: number;
  firstViewedAt: number;
  lastViewedAt: number;
}>;

export type ViewedCategory = Readonly<{ categoryId: string; count: number }>;

/** What a session remembers of its shopper; what was seen last comes first. */
export type SessionActivity = Readonly<{
  products: readonly ViewedProduct[];
  categories: readonly ViewedCategory[];
  searchCount: number;
  /** What the intent is told by: the events of the last 30 minutes. */
  recent: readonly RecordedEvent[];
  /** Codes of messages that the shopper sent away. */
  dismissed: readonly string[];
}>;

export const noActivity: SessionActivity = {
  products: [],
  categories: [],
  searchCount: 0,
  recent: [],
  dismissed: [],
};
