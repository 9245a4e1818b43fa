import { and, eq, sql } from "drizzle-orm";
import { type PersonalData, reading } from "../database/index.ts";
import { dealRedemptions } from "./tables.ts";

export type DealUse = Readonly<{ dealId: string; orderId: string; redeemedAt: number }>;

/** The uses of deals. A guest's is known by a contact; blanked, by the customer's id instead, so that its limit holds. */
export const dealPersonalData: PersonalData<DealUse[]> = {
  read: ({ db, business }, { orderIds }) =>
    reading(
      [
        db
          .select({
            dealId: dealRedemptions.dealId,
            orderId: dealRedemptions.orderId,
            redeemedAt: dealRedemptions.redeemedAt,
          })
          .from(dealRedemptions)
          .where(
            and(
              eq(dealRedemptions.businessId, business.id),
              sql`${dealRedemptions.orderId} in ${orderIds}`,
            ),
          ),
      ],
      ([uses]) => uses,
    ),
  erase: ({ db, business }, { customerId, orderIds }) => [
    db
      .update(dealRedemptions)
      .set({ customerKey: customerId })
      .where(
        and(
          eq(dealRedemptions.businessId, business.id),
          sql`${dealRedemptions.orderId} in ${orderIds}`,
        ),
      ),
  ],
};
