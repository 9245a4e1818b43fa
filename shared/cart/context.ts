import type { ShopContext } from "../businesses/index.ts";
import type { ProductSet } from "../pricing/index.ts";

/** What a cart write may reach: the catalogue through a cache, the stock through the database. */
export type CartContext = ShopContext &
  Readonly<{
    /** The products of `ids` and those of their components, at most 5 s old. */
    findProducts: (ids: readonly string[]) => Promise<ProductSet>;
  }>;
