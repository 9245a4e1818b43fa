import type { DealTerms } from "../../shared/pricing/index.ts";

/** The terms of an automatic deal: 10 % of the whole order, without conditions. */
export const createTerms = (fields: Partial<DealTerms> = {}): DealTerms => ({
  id: "deal_1",
  code: null,
  name: "Deal",
  discount: { type: "percentage", percent: "10" },
  minOrderSubtotalMinor: null,
  maxDiscountMinor: null,
  coverage: { type: "order" },
  startsAt: null,
  endsAt: null,
  usageLimit: null,
  timesRedeemed: 0,
  isActive: true,
  ...fields,
});
