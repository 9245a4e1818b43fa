import { and, eq, isNotNull, sql } from "drizzle-orm";
import { type PersonalData, reading } from "../database/index.ts";
import { refunds } from "./refunds/tables.ts";
import { payments, sandboxCharges } from "./tables.ts";

export type MobileMoneyNumber = Readonly<{ orderId: string; phoneNumber: string | null }>;

/**
 * The numbers that the sandbox provider charged; live mode's lie with the provider. Blanked are also the
 * words of refunds and receipts, which an export shows with the orders.
 */
export const paymentPersonalData: PersonalData<MobileMoneyNumber[]> = {
  read: ({ db }, { orderIds }) =>
    reading(
      [
        db
          .select({ orderId: sandboxCharges.orderId, phoneNumber: sandboxCharges.phoneNumber })
          .from(sandboxCharges)
          .where(
            and(
              sql`${sandboxCharges.orderId} in ${orderIds}`,
              isNotNull(sandboxCharges.phoneNumber),
            ),
          ),
      ],
      ([numbers]) => numbers,
    ),
  erase: ({ db, business }, { orderIds }) => [
    db
      .update(sandboxCharges)
      .set({ phoneNumber: null })
      .where(sql`${sandboxCharges.orderId} in ${orderIds}`),
    db
      .update(refunds)
      .set({ reason: null })
      .where(and(sql`${refunds.orderId} in ${orderIds}`, eq(refunds.businessId, business.id))),
    db
      .update(payments)
      .set({ receipt: sql`json_set(${payments.receipt}, '$.reference', null)` })
      .where(
        and(
          sql`${payments.orderId} in ${orderIds}`,
          eq(payments.businessId, business.id),
          isNotNull(payments.receipt),
        ),
      ),
  ],
};
