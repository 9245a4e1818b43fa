import type { ShopContext } from "../businesses/index.ts";
import type { Prefetch } from "../database/index.ts";
import type { DeliveryReads } from "../delivery/index.ts";
import type { DealTerms, ProductSet } from "../pricing/index.ts";
import type { SlotAllocation } from "../scheduling/index.ts";
import type { TaxReader } from "../tax/index.ts";

/** The deals that may apply to a cart: the automatic ones, and those of its coupons. */
export type CartOffer<D extends DealTerms = DealTerms> = Readonly<{
  automatic: readonly D[];
  coupons: readonly D[];
}>;

/** What cart writes use. The catalogue is read through a cache, and the stock from the database. */
export type CartContext = ShopContext &
  Readonly<{
    /**
     * Loads products and their components, at most 5 s old. When they are not cached, the same
     * batch also reads the prefetches, and the deals that `findDeals` needs for `couponCodes`.
     */
    findProducts: (
      ids: readonly string[],
      couponCodes?: readonly string[],
      prefetches?: readonly Prefetch[],
    ) => Promise<ProductSet>;
    /** What the business offers for deliveries, and where its stock is. */
    delivery: DeliveryReads;
    /**
     * Loads the automatic deals and the deals of coupon codes, in the order of the codes, at most 5 s
     * old. Deals of customer groups are among them.
     */
    findDeals: (couponCodes: readonly string[]) => Promise<CartOffer>;
    /**
     * The ids of the logged-in customer's groups, at most 5 s old. Undefined for a caller without a
     * login.
     */
    findCustomerGroups?: () => Promise<ReadonlySet<string>>;
    tax: TaxReader;
    /**
     * A digest of the caller's network, for the limits per address. Null when no request causes the
     * work.
     */
    digestCallerAddress: () => Promise<string | null>;
    /**
     * Cancels unpaid orders of the cart's session whose bookings conflict with a slot. Returns
     * whether there were any. Undefined for a caller without a session.
     */
    releaseConflictingOrders?: (allocation: SlotAllocation) => Promise<boolean>;
    /**
     * The ids of the unpaid orders that a checkout of this cart would replace. Stock that these
     * orders reserve counts as available. Undefined for a caller without a session.
     */
    replacedOrderIds?: () => readonly string[];
  }>;
