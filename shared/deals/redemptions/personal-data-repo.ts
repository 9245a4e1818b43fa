import { and, eq, sql } from "drizzle-orm";
import { batchedRead, type PersonalData } from "../../database/index.ts";
import { dealRedemptions } from "../tables.ts";

export type DealUse = Readonly<{ dealId: string; orderId: string; redeemedAt: number }>;

/**
 * The personal data in redemptions of deals. Erasing replaces the contacts with the customer's id,
 * so that per-customer limits still apply.
 */
export const dealPersonalData: PersonalData<DealUse[]> = {
  read: ({ db, business }, { orderIds }) =>
    batchedRead(
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
      .set({ customerId, email: null, phone: null })
      .where(
        and(
          eq(dealRedemptions.businessId, business.id),
          sql`${dealRedemptions.orderId} in ${orderIds}`,
        ),
      ),
  ],
};
