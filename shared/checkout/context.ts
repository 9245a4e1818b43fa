import type { CartContext } from "../cart/index.ts";
import type { OfferedDeals } from "../deals/index.ts";
import type { FxContext } from "../fx/index.ts";
import type { OrderContext } from "../orders/index.ts";

/** The context of a checkout: a cart's, with payment and exchange-rate providers. */
export type CheckoutContext = Omit<CartContext, "findDeals"> &
  OrderContext &
  FxContext &
  Readonly<{
    /** As in `CartContext`, with the usage limits of the deals. */
    findDeals: (couponCode: string | null) => Promise<OfferedDeals>;
  }>;
