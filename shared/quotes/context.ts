import type { ShopContext } from "../businesses/index.ts";
import type { Companion } from "../catalogue/index.ts";
import type { ProductSet } from "../pricing/index.ts";

/** What a quote may reach: the catalogue through a cache, its own rows through the database. */
export type QuoteContext = ShopContext &
  Readonly<{
    /**
     * The products of `ids` and those of their components, at most 5 s old; the companions come along
     * where they are not remembered.
     */
    findProducts: (
      ids: readonly string[],
      companions?: readonly Companion[],
    ) => Promise<ProductSet>;
  }>;
