import { and, eq, isNotNull, sql } from "drizzle-orm";
import { batchedRead, type PersonalData } from "../database/index.ts";
import { refunds } from "./refunds/tables.ts";
import { payments, sandboxCharges } from "./tables.ts";

type ChargedPhoneNumber = Readonly<{ orderId: string; phoneNumber: string | null }>;

/**
 * The phone numbers that the test-mode provider charged; a live provider stores its own. An erasure
 * also removes the reasons of refunds and the references of receipts.
 */
export const paymentPersonalData: PersonalData<ChargedPhoneNumber[]> = {
  read: ({ db }, { orderIds }) =>
    batchedRead(
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
