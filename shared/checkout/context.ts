import type { CartContext } from "../cart/index.ts";
import type { OfferedDeals } from "../deals/index.ts";
import type { FxContext } from "../fx/index.ts";
import type { OrderContext } from "../orders/index.ts";

/** The context of a cart, with payment and exchange-rate providers. */
export type CheckoutContext = Omit<CartContext, "findDeals"> &
  OrderContext &
  FxContext &
  Readonly<{
    /** As `findDeals` in `CartContext`, but the deals have their usage limits. */
    findDeals: (couponCode: string | null) => Promise<OfferedDeals>;
  }>;
