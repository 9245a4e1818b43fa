import { z } from "@hono/zod-openapi";
import { iso } from "../../../shared/kernel/index.ts";
import type { ExportedPersonalData } from "../../../shared/personal-data/index.ts";
import { MerchantCustomerView, viewMerchantCustomer } from "./customer.ts";
import { MerchantOrderView, viewMerchantOrder } from "./order.ts";

/** One field for each section of personal data: a section without one does not compile. */
export const PersonalDataView = z
  .object({
    customer: MerchantCustomerView,
    orders: z.array(MerchantOrderView),
    mobile_money_numbers: z.array(
      z.object({ order_id: z.string(), phone_number: z.string().nullable() }),
    ),
    deal_uses: z.array(
      z.object({ deal_id: z.string(), order_id: z.string(), redeemed_at: z.string() }),
    ),
  })
  .openapi("PersonalData");

export function viewPersonalData({
  customer,
  orders,
  mobileMoneyNumbers,
  dealUses,
  ...unseen
}: ExportedPersonalData): z.infer<typeof PersonalDataView> {
  unseen satisfies Record<string, never>;
  return {
    customer: viewMerchantCustomer(customer),
    orders: orders.map(viewMerchantOrder),
    mobile_money_numbers: mobileMoneyNumbers.map(({ orderId, phoneNumber }) => ({
      order_id: orderId,
      phone_number: phoneNumber,
    })),
    deal_uses: dealUses.map(({ dealId, orderId, redeemedAt }) => ({
      deal_id: dealId,
      order_id: orderId,
      redeemed_at: iso(redeemedAt),
    })),
  };
}
