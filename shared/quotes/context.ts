import type { Context } from "../database/index.ts";
import type { ProductSet } from "../pricing/index.ts";

/** What a quote may reach: the catalogue through a cache, its own rows through the database. */
export type QuoteContext = Context &
  Readonly<{
    /** The products of `ids` and those of their components, at most 5 s old. */
    findProducts: (ids: readonly string[]) => Promise<ProductSet>;
  }>;
