import type { ShopContext } from "../businesses/index.ts";
import type { Companion } from "../catalogue/index.ts";
import type { DealsOnOffer, ProductSet } from "../pricing/index.ts";
import type { Place } from "../scheduling/index.ts";

/** What a cart write may reach: the catalogue through a cache, the stock through the database. */
export type CartContext = ShopContext &
  Readonly<{
    /**
     * The products of `ids` and those of their components, at most 5 s old. What `findDeals` will be
     * asked for, by the same code, comes along where it is not remembered, and so do the companions
     * where the products are not.
     */
    findProducts: (
      ids: readonly string[],
      couponCode?: string | null,
      companions?: readonly Companion[],
    ) => Promise<ProductSet>;
    /** The deals that apply by themselves and the one of the code, at most 5 s old. */
    findDeals: (couponCode: string | null) => Promise<DealsOnOffer>;
    /**
     * Gives up orders of the cart's own session that were not paid and whose bookings are in the way of
     * a place; whether there were any. Left out where no session is.
     */
    giveWay?: (place: Place) => Promise<boolean>;
    /**
     * The orders that a checkout of this cart takes the place of: what they hold counts as free. Left
     * out where no session is.
     */
    replacedOrders?: () => readonly string[];
  }>;
