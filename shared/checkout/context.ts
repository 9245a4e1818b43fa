import type { CartContext } from "../cart/index.ts";
import type { Offer } from "../deals/index.ts";
import type { FxContext } from "../fx/index.ts";
import type { OrderContext } from "../orders/index.ts";

export type CheckoutContext = Omit<CartContext, "findDeals"> &
  OrderContext &
  FxContext &
  Readonly<{
    /** As a cart's, with the limits of their uses. */
    findDeals: (couponCode: string | null) => Promise<Offer>;
  }>;
