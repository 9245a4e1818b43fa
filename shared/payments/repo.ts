import { and, eq, lt, or, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { maxFailedAttempts, type Payment } from "./payment.ts";
import { paymentReferences, payments } from "./tables.ts";

/** Whose a payment is to authorize: the session's that started it, or whoever may pay for these orders. */
export type PaymentHolder = Readonly<{
  sessionId: string;
  /** A query, in brackets, for their ids. */
  orderIds: SQL;
}>;

/** Payments of one business. */
export function paymentRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = (id: string) => and(eq(payments.id, id), eq(payments.businessId, business.id));

  const heldBy = ({ sessionId, orderIds }: PaymentHolder) =>
    or(eq(payments.sessionId, sessionId), sql`${payments.orderId} in ${orderIds}`);

  return {
    insert: (payment: Payment): Write =>
      db.insert(payments).values({ ...payment, businessId: business.id }),

    /** Keeps the reference that a payment is charged under from now on, beside its earlier ones. */
    keepReference: ({ id: paymentId, reference }: Pick<Payment, "id" | "reference">): Write =>
      db
        .insert(paymentReferences)
        .values({ reference, paymentId, businessId: business.id })
        .onConflictDoNothing(),

    /** The tries are counted apart, by the three below. */
    update: ({
      id,
      reference,
      status,
      nextAction,
      settledAt,
      receipt,
      mismatch,
      updatedAt,
      version,
    }: Payment): Write =>
      db
        .update(payments)
        .set({ reference, status, nextAction, settledAt, receipt, mismatch, updatedAt, version })
        .where(own(id)),

    /** Takes one of the tries that a challenge allows; answers with a row when there was one left. */
    claimTry: (id: string, holder: PaymentHolder) =>
      db
        .update(payments)
        .set({ failedAttempts: sql`${payments.failedAttempts} + 1` })
        .where(
          and(
            own(id),
            heldBy(holder),
            eq(payments.status, "requires_action"),
            lt(payments.failedAttempts, maxFailedAttempts),
          ),
        )
        .returning({ id: payments.id }),

    /** Gives a try back that was not wrong. */
    returnTry: (id: string): Write =>
      db
        .update(payments)
        .set({ failedAttempts: sql`max(${payments.failedAttempts} - 1, 0)` })
        .where(own(id)),

    /** A new charge has all its tries. */
    forgetTries: (id: string): Write =>
      db.update(payments).set({ failedAttempts: 0 }).where(own(id)),

    /** @param orderIds a query, or a list in brackets. */
    ofOrders: (orderIds: SQL) =>
      db
        .select()
        .from(payments)
        .where(and(sql`${payments.orderId} in ${orderIds}`, eq(payments.businessId, business.id))),

    /** A query for the order of a payment, if it is theirs. */
    orderIdOf: (id: string, holder: PaymentHolder): SQL => sql`(
      select ${payments.orderId} from ${payments} where ${and(own(id), heldBy(holder))})`,
  };
}

export type PaymentRow = typeof payments.$inferSelect;

/** @throws Refusal NOT_FOUND without a row. */
export function paymentFromRow(row: PaymentRow | undefined): Payment {
  if (!row) throw notFound("payment");
  const { businessId: _, ...payment } = row;
  return payment;
}
