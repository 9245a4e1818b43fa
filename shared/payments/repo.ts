import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Payment } from "./payment.ts";
import { payments } from "./tables.ts";

/** Payments of one business. */
export function paymentRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = (id: string) => and(eq(payments.id, id), eq(payments.businessId, business.id));

  return {
    insert: (payment: Payment): Write =>
      db.insert(payments).values({ ...payment, businessId: business.id }),

    update: ({
      id,
      reference,
      status,
      nextAction,
      failedAttempts,
      settledAt,
      updatedAt,
      version,
    }: Payment): Write =>
      db
        .update(payments)
        .set({ reference, status, nextAction, failedAttempts, settledAt, updatedAt, version })
        .where(own(id)),

    ofOrder: (orderId: string | SQL) =>
      db
        .select()
        .from(payments)
        .where(and(eq(payments.orderId, orderId), eq(payments.businessId, business.id))),

    /** A query for the order of a payment, if this session started it. */
    orderIdOf: (id: string, sessionId: string): SQL => sql`(
      select ${payments.orderId} from ${payments} where ${and(own(id), eq(payments.sessionId, sessionId))})`,
  };
}

export type PaymentRow = typeof payments.$inferSelect;

/** @throws Refusal NOT_FOUND without a row. */
export function paymentFromRow(row: PaymentRow | undefined): Payment {
  if (!row) throw notFound("payment");
  const { businessId: _, ...payment } = row;
  return payment;
}
