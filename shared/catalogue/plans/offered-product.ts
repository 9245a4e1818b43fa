import type { Product } from "../product.ts";
import type { BillingPlan } from "./billing-plan.ts";

/** A product as carts and quotes read it; nothing archived is in the lists. */
export type OfferedProduct = Product &
  Readonly<{
    /** The plans that it may be paid by. */
    billingPlans: readonly BillingPlan[];
    /**
     * Its collections, its category and those above: what deals are for. Read for carts, each kind
     * while there may be a deal for one; empty elsewhere.
     */
    groupIds: readonly string[];
  }>;
