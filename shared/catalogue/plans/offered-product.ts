import type { Product } from "../product.ts";
import type { BillingPlan } from "./billing-plan.ts";

/** A product as carts and quotes read it: with the plans that it may be paid by, archived ones left out. */
export type OfferedProduct = Product & Readonly<{ billingPlans: readonly BillingPlan[] }>;
