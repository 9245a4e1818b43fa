/**
 * Something a shopper did, reduced to what intent, messages and recommendations use. Search terms
 * and page addresses are not stored.
 */
export type ActivityEvent =
  | Readonly<{ type: "product_view"; productId: string; categoryId: string | null }>
  | Readonly<{ type: "category_view"; categoryId: string }>
  | Readonly<{ type: "search" }>
  | Readonly<{ type: "cart_add" | "cart_remove"; productId: string; quantity: number }>;

export type RecordedEvent = ActivityEvent & Readonly<{ at: number }>;

export type ViewedProduct = Readonly<{
  productId: string;
  /** The product's category, from the last view of the product that named one. */
  categoryId: string | null;
  count: number;
  firstViewedAt: number;
  lastViewedAt: number;
}>;

export type ViewedCategory = Readonly<{ categoryId: string; count: number }>;

/** The recorded activity of a session. In each list the most recently viewed entry comes first. */
export type SessionActivity = Readonly<{
  products: readonly ViewedProduct[];
  categories: readonly ViewedCategory[];
  searchCount: number;
  /** The events of the last 30 minutes, which determine the intent. */
  recent: readonly RecordedEvent[];
  /** Codes of dismissed messages. */
  dismissed: readonly string[];
}>;

export const noActivity: SessionActivity = {
  products: [],
  categories: [],
  searchCount: 0,
  recent: [],
  dismissed: [],
};
