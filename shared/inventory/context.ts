import type { Context } from "../database/index.ts";

/** A context that knows from how many pieces on stock is low, where a level says nothing itself. */
export type StockContext = Context &
  Readonly<{ business: Readonly<{ settings: Readonly<{ lowStockThreshold: number }> }> }>;
