/**
 * What a shopper did (interface.md, POST /activity/events), as far as a rule asks for it: what they
 * typed, or which page it was, is not kept.
 */
export type ActivityEvent =
  | Readonly<{ type: "product_view"; productId: string; categoryId: string | null }>
  | Readonly<{ type: "category_view"; categoryId: string }>
  | Readonly<{ type: "search" }>
  | Readonly<{ type: "cart_add" | "cart_remove"; productId: string; quantity: number }>;

export type RecordedEvent = ActivityEvent & Readonly<{ at: number }>;
