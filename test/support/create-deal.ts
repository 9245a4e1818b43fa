import { type Deal, createDeal as insertDeal, type NewDeal } from "../../shared/deals/index.ts";
import { contextFor, type TestBusiness } from "./world.ts";

/** Creates an automatic deal of ten percent on the whole order; `fields` replace the defaults. */
export const createDeal = (shop: TestBusiness, fields: Partial<NewDeal> = {}): Promise<Deal> =>
  insertDeal(contextFor(shop), {
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
