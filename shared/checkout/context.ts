import type { CartContext } from "../cart/index.ts";
import type { Prefetch } from "../database/index.ts";
import type { OfferedDeals } from "../deals/index.ts";
import type { FxContext } from "../fx/index.ts";
import type { OrderContext } from "../orders/index.ts";
import type { ProductSet } from "../pricing/index.ts";

/** The products of a cart, and the deals that may apply to it. */
export type CartCatalogue = Readonly<{ products: ProductSet; offer: OfferedDeals }>;

/** The context of a cart, with payment and exchange-rate providers. */
export type CheckoutContext = Omit<CartContext, "findDeals"> &
  OrderContext &
  FxContext &
  Readonly<{
    /** As `findDeals` in `CartContext`, but the deals have their usage limits. */
    findDeals: (couponCodes: readonly string[]) => Promise<OfferedDeals>;
    /**
     * A payment method that an agent handed over with this call. It is never stored, so that a run
     * that resumes later is paid on a page of the provider. Absent for other callers.
     */
    paymentToken?: string;
    /**
     * Reads products, deals and the prefetches from the database and not from a cache, in exactly
     * one round trip.
     */
    readCatalogue: (
      ids: readonly string[],
      couponCodes: readonly string[],
      prefetches: readonly Prefetch[],
    ) => Promise<CartCatalogue>;
  }>;
