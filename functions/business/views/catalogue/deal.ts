import { z } from "@hono/zod-openapi";
import type { Deal } from "../../../../shared/deals/index.ts";
import { DealView, viewDeal } from "../../../wire/views/catalogue/deal.ts";

/** The deal with the groups of customers that may use it, which shoppers do not see. */
export const MerchantDealView = DealView.extend({
  customer_group_ids: z
    .array(z.string())
    .nullable()
    .openapi({ description: "The groups whose customers may use the deal. Null: everybody." }),
}).openapi("MerchantDeal");

export const viewMerchantDeal = (
  deal: Deal,
  currency: string,
): z.infer<typeof MerchantDealView> => ({
  ...viewDeal(deal, currency),
  customer_group_ids: deal.customerGroupIds && [...deal.customerGroupIds],
});
