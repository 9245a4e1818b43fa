import { createDeal, type Deal, type NewDeal } from "../../shared/deals/index.ts";
import { contextFor } from "./world.ts";

type Shop = Parameters<typeof contextFor>[0];

/** A deal of ten percent on everything, automatic; `fields` are what matters to the test. */
export const givenDeal = (shop: Shop, fields: Partial<NewDeal> = {}): Promise<Deal> =>
  createDeal(contextFor(shop), {
    code: null,
    name: "Ten percent",
    description: "",
    discountType: "percentage",
    value: "10",
    minOrderSubtotalMinor: null,
    maxDiscountMinor: null,
    appliesTo: { scope: "order", ids: [] },
    startsAt: null,
    endsAt: null,
    usageLimit: null,
    perCustomerLimit: null,
    isActive: true,
    ...fields,
  });
