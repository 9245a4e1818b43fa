import type { Context } from "../database/index.ts";

/** A context that knows where its business keeps stock, and from how many pieces on it is low. */
export type StockContext = Context &
  Readonly<{
    business: Readonly<{
      /** Where stock is sold from; archived ones are not among them. */
      locations: readonly Readonly<{ id: string }>[];
      /** Where a level says nothing itself. */
      settings: Readonly<{ lowStockThreshold: number }>;
    }>;
  }>;
